package policy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"searchmcp/engine/api"
)

const pemKey = "-----BEGIN RSA PRIVATE KEY-----\n"

var keyLines = strings.Repeat("MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ+/\n", 3)

func TestRead(t *testing.T) {
	root := quiet(t)
	write(t, root, "a/main.go", "package main\n")
	write(t, root, "empty.go", "")
	write(t, root, "renamed.txt", "text\x00more")
	write(t, root, "drawing.ai", "%PDF-1.6\nwords")
	write(t, root, "late.txt", strings.Repeat("x", headSize-1)+"\x00")
	write(t, root, "behind.txt", strings.Repeat("x", headSize)+"\x00")
	write(t, root, "half.txt", "\xff\xfeh\x00i")
	write(t, root, "photo.png", "not a picture")
	write(t, root, "big.go", strings.Repeat("x", 2001))
	write(t, root, "bigbin", "\x00"+strings.Repeat("x", 2001))
	write(t, root, "exact.go", strings.Repeat("x", 2000))
	write(t, root, "latin1.c", "caf\xe9\n")
	write(t, root, "key.txt", "Bag Attributes\n"+pemKey+keyLines)
	write(t, root, "account.json", `{"private_key": "-----BEGIN PRIVATE KEY-----\n`+
		`MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n"}`)
	write(t, root, "values.yaml", "tls:\n  key: |\n    -----BEGIN EC PRIVATE KEY-----\n    x\n")
	write(t, root, "putty", "PuTTY-User-Key-File-2: ssh-rsa\n")
	write(t, root, "pgp.txt", "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n")
	write(t, root, "detector.go", `if strings.Contains(s, "-----BEGIN RSA PRIVATE KEY-----") { return "PRIVATE KEY" }`)
	write(t, root, "public.txt",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----\n")
	write(t, root, "README.md", "# Shop\n\nSet the key like this:\n\n"+pemKey+keyLines+"-----END RSA PRIVATE KEY-----\n\n"+
		strings.Repeat("Then start the shop and open it.\n", 10))
	write(t, root, "KEY.md", pemKey+keyLines+"-----END RSA PRIVATE KEY-----\n")
	write(t, root, "docs/shape.md", "# Keys\n\nA key looks so:\n\n"+pemKey+"…\n-----END RSA PRIVATE KEY-----\n")
	write(t, root, "id_rsa", "Notes of mine\n"+pemKey+keyLines+strings.Repeat("more words\n", 50))
	write(t, root, "crlf.txt", "-----BEGIN OPENSSH PRIVATE KEY-----\r\nabc\r\n")
	must(t, os.Chtimes(filepath.Join(root, "a/main.go"), time.Time{}, time.Unix(1700000000, 0)))
	p := newPolicy(t, root, func(r *api.Config) { r.MaxFileSize = 2000 })
	data, stamp, reason, err := p.Read("a/main.go")
	if string(data) != "package main\n" || reason != "" || err != nil {
		t.Fatalf("Read = %q, %q, %v", data, reason, err)
	}
	if stamp.Size != 13 || stamp.ModTime.Unix() != 1700000000 {
		t.Errorf("stamp %+v", stamp)
	}
	if again, reason, err := p.Stat("a/main.go"); again != stamp || reason != "" || err != nil {
		t.Errorf("Stat = %+v, %q, %v; Read returned %+v", again, reason, err, stamp)
	}
	if data, _, reason, err := p.Read("empty.go"); data == nil || len(data) != 0 || reason != "" || err != nil {
		t.Errorf("empty file: %v, %q, %v", data, reason, err)
	}
	for key, want := range map[string]api.Reason{
		"drawing.ai":  api.SkipBinary,
		"renamed.txt": api.SkipBinary, "late.txt": api.SkipBinary, "half.txt": api.SkipBinary, "photo.png": api.SkipBinary,
		"bigbin": api.SkipBinary,
		"big.go": api.SkipSize, "exact.go": "", "latin1.c": "", "behind.txt": api.SkipSize,
		"key.txt": api.SkipSecret, "account.json": api.SkipSecret, "values.yaml": api.SkipSecret, "putty": api.SkipSecret,
		"pgp.txt": api.SkipSecret, "README.md": "", "KEY.md": api.SkipSecret, "docs/shape.md": "", "id_rsa": api.SkipSecret,
		"crlf.txt": api.SkipSecret, "detector.go": "", "public.txt": "",
	} {
		data, _, reason, err := p.Read(key)
		if reason != want || err != nil || (data == nil) != (want != "") {
			t.Errorf("Read(%q) = %d bytes, %q, %v; want %q", key, len(data), reason, err, want)
		}
	}
	if data, _, _, _ := p.Read("README.md"); !strings.Contains(string(data), "«[secret: private key]»") ||
		strings.Contains(string(data), keyLines[:40]) || !strings.Contains(string(data), "Then start the shop") {
		t.Errorf("a sample key in a README: %q", data)
	}
	named := newPolicy(t, root, func(r *api.Config) { r.Include = []string{"**/*", "key.txt"} })
	if _, _, reason, _ := named.Read("key.txt"); reason != "" {
		t.Errorf("a key file that include names: %q", reason)
	}
	if _, _, reason, _ := named.Read("behind.txt"); reason != "" {
		t.Errorf("a NUL behind the first 8 KB: %q", reason)
	}
	for _, key := range []string{"gone.go", "nowhere/x.go", "a/main.go/x"} {
		_, _, reason, err := p.Read(key)
		if reason != "" || api.CodeOf(err) != api.FileNotFound {
			t.Errorf("Read(%q) = %q, %v", key, reason, err)
		}
	}
	if _, _, err := p.Stat("a"); !errors.Is(err, ErrFolder) {
		t.Errorf("Stat of a folder: %v", err)
	}
	if _, _, reason, _ := p.Read("a"); reason != api.SkipSpecial {
		t.Errorf("Read of a folder: %q", reason)
	}
}

func TestUTF16(t *testing.T) {
	root := quiet(t)
	encoded := func(order binary.AppendByteOrder, text string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(text)) {
			b = order.AppendUint16(b, u)
		}
		return string(b)
	}
	le, be := binary.LittleEndian, binary.BigEndian
	const text = "// größe 𝄞 in Notepad\r\nint size;\r\n"
	token := "ghp_" + "x7Kq2mPz9RtLw4Vn8Bs3Yd6Fg1Hj5Ca0Te2U"
	texts := map[string]string{
		"le.c": encoded(le, "\ufeff"+text), "be.c": encoded(be, "\ufeff"+text), "bare-le.c": encoded(le, text),
		"bare-be.c": encoded(be, text),
	}
	binaries := map[string]string{
		"odd": encoded(le, "\ufeff"+text) + "\x00", "half-a-pair": encoded(le, "\ufeffab") + "\x34\xd8",
		"zero":  encoded(le, "\ufeffa\x00b"),
		"utf32": "\xff\xfe\x00\x00a\x00\x00\x00", "numbers": "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00", "few": "a\x00b\x00",
		"both-sides": "a\x00\x00bc\x00d\x00", "behind": encoded(le, strings.Repeat("x", headSize)) + "\x00\x00",
	}
	for name, s := range texts {
		write(t, root, name, s)
	}
	for name, s := range binaries {
		write(t, root, name, s)
	}
	write(t, root, "token.cfg", encoded(le, "\ufefftoken = \""+token+"\"\n"))
	write(t, root, "key.reg", encoded(be, pemKey+keyLines))
	p := newPolicy(t, root, nil)
	for name := range texts {
		if got, _, reason, err := p.Read(name); string(got) != text || reason != "" || err != nil {
			t.Errorf("Read(%q) = %q, %q, %v", name, got, reason, err)
		}
	}
	for name := range binaries {
		if got, _, reason, err := p.Read(name); reason != api.SkipBinary || err != nil {
			t.Errorf("Read(%q) = %q, %q, %v", name, got, reason, err)
		}
	}
	if got, _, reason, err := p.Read("token.cfg"); !strings.HasPrefix(string(got), "token = ") ||
		strings.Contains(string(got), token) {
		t.Errorf("a token in UTF-16: %q, %q, %v", got, reason, err)
	}
	for order, name := range map[binary.AppendByteOrder]string{le: "turns-le.txt", be: "turns-be.txt"} {
		head := strings.Repeat("plain text\n", headSize/10)
		write(t, root, name, head+encoded(order, "größe\ntoken = \""+token+"\"\nend\n"))
		got, _, reason, err := p.Read(name)
		if !strings.Contains(string(got), "token = ") || strings.Contains(strings.ReplaceAll(string(got),
			"\x00", ""), token) ||
			strings.Count(string(got), "\n") != strings.Count(head, "\n")+3 {
			t.Errorf("%s: a token is visible in text that turns into UTF-16: %q, %q, %v", name, got[len(head)-10:], reason, err)
		}
	}
	if _, _, reason, _ := p.Read("key.reg"); reason != api.SkipSecret {
		t.Errorf("a key in UTF-16: %q", reason)
	}
}

func TestReadIf(t *testing.T) {
	root := t.TempDir()
	text := "key = \"AKIA" + "Z7Q3NWX2TLPE5RUV\"\n"
	must(t, os.WriteFile(filepath.Join(root, "a.go"), []byte(text), 0o600))
	reader := newPolicy(t, root, nil).Reader()
	defer reader.Close()
	for _, wanted := range []bool{false, true} {
		seen := ""
		data, _, reason, err := reader.ReadIf("a.go", func(raw []byte) bool { seen = string(raw); return wanted })
		if err != nil || reason != api.SkipNone || seen != text || (data != nil) != wanted ||
			strings.Contains(string(data), "AKIA") {
			t.Errorf("wanted %v: %q of %q, %s, %v", wanted, data, seen, reason, err)
		}
	}
}

func TestReader(t *testing.T) {
	root := t.TempDir()
	files := []string{"a.go", "x/b.go", "x/y/c.go", "x/y/z/d.go", "x/yy/e.go", "xy/f.go"}
	for _, f := range files {
		name := filepath.Join(root, filepath.FromSlash(f))
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte("package "+f+"\n"), 0o600))
	}
	if err := os.Symlink("x", filepath.Join(root, "link")); err != nil {
		t.Skip(err) // Windows requires a privilege
	}
	p := newPolicy(t, root, nil)
	reader := p.Reader()
	defer reader.Close()
	all := append(files, "missing/g.go", "x/missing.go", "link/b.go", "x/b.go/h.go", "../a.go", ".")
	for _, first := range all {
		for _, second := range all {
			for _, name := range []string{first, second} {
				want, _, wantReason, wantErr := p.Read(name)
				got, _, reason, err := reader.ReadIf(name, func([]byte) bool { return true })
				if string(got) != string(want) || reason != wantReason || (err == nil) != (wantErr == nil) {
					t.Errorf("%s after %s: %q, %s, %v; want %q, %s, %v", name, first, got, reason, err, want,
						wantReason, wantErr)
				}
			}
		}
	}
}

func TestReadAs(t *testing.T) {
	root := quiet(t)
	token := "ghp_" + strings.Repeat("x7Kq2mZ9Lw4Rt6Yp1N", 2)
	wide := func(s string) string { return "\x00" + strings.Join(strings.Split(s, ""), "\x00") }
	write(t, root, "wide.txt", wide("words "+token+"\n"))
	write(t, root, "paper.pdf", wide("words\n"))
	write(t, root, "still.txt", "\x01"+wide("x"))
	write(t, root, "big.pdf", strings.Repeat("x", 2001))
	write(t, root, ".env", "A=1")
	write(t, root, "key.pdf", wide(pemKey+keyLines))
	write(t, root, "drafts/x.pdf", "x")
	p := newPolicy(t, root, func(r *api.Config) { r.MaxFileSize, r.Exclude = 2000, []string{"drafts/"} })
	narrow := func(data []byte) ([]byte, bool) {
		return bytes.ReplaceAll(data, []byte("\x00"), nil), !bytes.HasPrefix(data, []byte("\x01"))
	}
	for key, want := range map[string]api.Reason{
		"wide.txt": "", "paper.pdf": "", "still.txt": api.SkipBinary, "big.pdf": api.SkipSize, ".env": api.SkipDenied,
		"key.pdf":      api.SkipSecret,
		"drafts/x.pdf": api.SkipExcluded,
	} {
		data, stamp, reason, err := p.ReadAs(key, narrow)
		if reason != want || err != nil || (data == nil) != (want != "") {
			t.Errorf("ReadAs(%q) = %d bytes, %q, %v; want %q", key, len(data), reason, err, want)
		}
		if want == "" && (!bytes.HasPrefix(data, []byte("words")) || bytes.Contains(data, []byte(token)) || stamp.Size == 0) {
			t.Errorf("ReadAs(%q) = %q of %+v", key, data, stamp)
		}
	}
	if _, _, reason, _ := p.ReadAs("paper.pdf", nil); reason != api.SkipBinary {
		t.Errorf("a PDF without a converter: %q", reason)
	}
}

func TestSymlinks(t *testing.T) {
	outside, root := t.TempDir(), quiet(t)
	write(t, outside, "secret.txt", "outside")
	write(t, root, "real/x.go", "inside")
	write(t, root, ".git/config", "inside, but denied")
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	link(filepath.Join(outside, "secret.txt"), "file.go")
	link(outside, "dir")
	link("real", "alias")
	link("real/x.go", "inner.go")
	link(".", "loop")
	link("nowhere", "dangling")
	link(".git", "cfg")
	link(filepath.Join(outside, "secret.txt"), ".gitignore") // its lines would become rules
	p := newPolicy(t, root, nil)
	for _, key := range []string{"file.go", "dir/secret.txt", "alias/x.go", "inner.go", "loop/real/x.go", "dangling",
		"cfg/config"} {
		data, _, reason, err := p.Read(key)
		if data != nil || reason != api.SkipSymlink {
			t.Errorf("Read(%q) = %q, %q", key, data, reason)
		}
		if err != nil && api.CodeOf(err) != api.SymlinkNotAllowed {
			t.Errorf("Read(%q): %v", key, err)
		}
		if _, err := SafeJoin(root, key); api.CodeOf(err) != api.SymlinkNotAllowed {
			t.Errorf("SafeJoin(%q): %v", key, err)
		}
		if _, reason, _ := p.Stat(key); reason != api.SkipSymlink {
			t.Errorf("Stat(%q): %q", key, reason)
		}
	}
	entries, err := p.ReadDir(".")
	must(t, err)
	links := 0
	for _, e := range entries {
		if e.Reason == api.SkipSymlink {
			links++
		}
	}
	if links != 8 {
		t.Errorf("%d links in the listing, want 8: %+v", links, entries)
	}
	if got, err := SafeJoin(root, "real/./x.go"); err != nil || got != filepath.Join(root, "real", "x.go") {
		t.Errorf("SafeJoin = %q, %v", got, err)
	}
}

// TestSwappedLink replaces a folder with a link to a folder with secrets during a read.
func TestSwappedLink(t *testing.T) {
	root := quiet(t)
	write(t, root, "src/config", "public")
	write(t, root, ".git/config", "SECRET")
	outside := t.TempDir()
	write(t, outside, "config", "SECRET")
	src, aside := filepath.Join(root, "src"), filepath.Join(root, "aside")
	p := newPolicy(t, root, nil)
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		targets := []string{".git", outside}
		for i := 0; ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			err := errors.Join(os.Rename(src, aside), os.Symlink(targets[i%2], src), os.Remove(src), os.Rename(aside, src))
			if err != nil {
				done <- err
				return
			}
		}
	}()
	read := 0
	for range 4000 {
		data, _, _, _ := p.Read("src/config")
		if bytes.Contains(data, []byte("SECRET")) {
			t.Error("a swapped link was followed")
			break
		}
		if data != nil {
			read++
		}
	}
	close(stop)
	must(t, <-done)
	t.Logf("%d of 4000 reads met the folder", read)
}

func TestNamesOnDisk(t *testing.T) {
	root := quiet(t)
	decomposed, composed := "cafe\u0301", "caf\u00e9"
	write(t, root, decomposed+"/re\u0301sume\u0301.md", "decomposed")
	write(t, root, "twins/e\u0301.go", "decomposed")
	write(t, root, "twins/\u00e9.go", "composed")
	write(t, root, "bad/.e\u200bnv", "TOKEN")
	if runtime.GOOS != "windows" { // Windows has no such names
		write(t, root, "bad/tab\t.go", "x")
	}
	p := newPolicy(t, root, nil)
	key := composed + "/r\u00e9sum\u00e9.md"
	for _, name := range []string{key, decomposed + "/re\u0301sume\u0301.md"} {
		if data, _, reason, err := p.Read(name); string(data) != "decomposed" || reason != "" || err != nil {
			t.Errorf("Read(%q) = %q, %q, %v", name, data, reason, err)
		}
	}
	entries, err := p.ReadDir(composed)
	if err != nil || len(entries) != 1 || entries[0].Path != key || entries[0].Reason != "" {
		t.Errorf("ReadDir = %+v, %v", entries, err)
	}
	if got, err := SafeJoin(root, key); err != nil {
		t.Error(err)
	} else if data, err := os.ReadFile(got); string(data) != "decomposed" {
		t.Errorf("SafeJoin gave %q: %q, %v", got, data, err)
	}
	entries, err = p.ReadDir("twins")
	must(t, err)
	indexed := slices.DeleteFunc(entries, func(e Entry) bool { return e.Reason != "" })
	if len(indexed) != 1 || indexed[0].Path != "twins/\u00e9.go" {
		t.Errorf("two names of one key: %+v", indexed)
	}
	entries, err = p.ReadDir("bad")
	must(t, err)
	for _, e := range entries {
		if e.Reason != api.SkipPath {
			t.Errorf("%q: %q, want %q", e.Path, e.Reason, api.SkipPath)
		}
	}
}

func TestExactSpelling(t *testing.T) {
	root := quiet(t)
	write(t, root, "Dir/a.go", "x")
	p := newPolicy(t, root, nil)
	p.fold = true
	if _, _, reason, err := p.Read("Dir/a.go"); reason != "" || err != nil {
		t.Fatalf("%q, %v", reason, err)
	}
	if _, _, _, err := p.Read("dir/a.go"); api.CodeOf(err) != api.FileNotFound {
		t.Errorf("another spelling of the folder: %v", err)
	}
	must(t, os.Rename(filepath.Join(root, "Dir/a.go"), filepath.Join(root, "Dir/A.go")))
	if _, _, _, err := p.Read("Dir/a.go"); api.CodeOf(err) != api.FileNotFound {
		t.Errorf("the old spelling after a rename: %v", err)
	}
	if _, _, reason, err := p.Read("Dir/A.go"); reason != "" || err != nil {
		t.Errorf("the new spelling: %q, %v", reason, err)
	}
	if got := p.Path("Node_Modules/x.js"); got != api.SkipDenied {
		t.Errorf("the deny list minds case: %q", got)
	}
}

func TestRootGone(t *testing.T) {
	quiet(t)
	root := filepath.Join(t.TempDir(), "project")
	write(t, root, "x.go", "x")
	p := newPolicy(t, root, nil)
	must(t, os.Rename(root, root+"2"))
	check := func(what string) {
		t.Helper()
		if _, _, reason, err := p.Read("x.go"); reason != "" || !errors.Is(err, ErrRootGone) ||
			api.CodeOf(err) == api.FileNotFound {
			t.Errorf("%s: Read: %q, %v", what, reason, err)
		}
		if _, err := p.ReadDir("."); !errors.Is(err, ErrRootGone) {
			t.Errorf("%s: ReadDir: %v", what, err)
		}
		if _, _, err := p.Stat("x.go"); !errors.Is(err, ErrRootGone) {
			t.Errorf("%s: Stat: %v", what, err)
		}
	}
	check("missing")
	if err := os.Symlink(root+"2", root); err == nil {
		check("a link")
		must(t, os.Remove(root))
	}
	write(t, filepath.Dir(root), "project", "a file")
	check("a file")
}
