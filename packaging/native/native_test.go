package native

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/ulikunitz/xz"
)

const testPlatform = "linux/amd64"

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func compress(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := xz.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// repository returns a folder with one library and the lock, which the caller must write.
func repository(t *testing.T, content, archive []byte) (dir string, lock *Lock) {
	t.Helper()
	dir = t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "linux-amd64"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "linux-amd64", "libx.so.xz"), archive, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, &Lock{Libraries: []Library{{
		Platform: testPlatform, Library: "x", Version: "1",
		File:    File{Name: "libx.so", Size: int64(len(content)), SHA256: hash(content)},
		Archive: File{Name: "libx.so.xz", Size: int64(len(archive)), SHA256: hash(archive)},
	}}}
}

// content returns bytes that xz does not compress to a trivial size.
func content() []byte {
	var b bytes.Buffer
	for sum := sha256.Sum256([]byte("seed")); b.Len() < 300_000; sum = sha256.Sum256(sum[:]) {
		b.Write(sum[:])
		b.WriteString("padding that compresses")
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	good := content()
	packed := compress(t, good)
	flipped := bytes.Clone(packed)
	flipped[len(flipped)/2] ^= 1
	other := compress(t, append([]byte("another library"), good...))

	for name, c := range map[string]struct {
		archive []byte
		edit    func(l *Library) // changes a lock entry that is correct for archive
		before  func(lib string) // prepares lib/
		wantErr error            // nil if the library is unpacked
		inErr   string
	}{
		"first run":                      {archive: packed},
		"partial file from a killed run": {archive: packed, before: func(p string) { write(t, p, good[:1000]) }},
		"file of the right size, wrong byte": {archive: packed,
			before: func(p string) { b := bytes.Clone(good); b[7] ^= 1; write(t, p, b) }},
		"archive damaged after commit": {archive: flipped, edit: func(l *Library) { l.Archive.SHA256 = hash(packed) },
			wantErr: ErrMismatch, inErr: "SHA-256"},
		"archive cut short": {archive: packed[:len(packed)/2], edit: func(l *Library) { l.Archive.Size = int64(len(packed)) },
			wantErr: ErrMismatch, inErr: "bytes, want"},
		"archive damaged before it was locked": {archive: flipped, inErr: "decompress"},
		"not an archive":                       {archive: good, wantErr: ErrMismatch, inErr: "libx.so.xz"},
		"wrong hash of the content": {archive: packed, edit: func(l *Library) { l.File.SHA256 = hash([]byte("else")) },
			wantErr: ErrMismatch, inErr: "(content)"},
		"archive holds more than the lock says": {archive: other, wantErr: ErrMismatch, inErr: "more than"},
		"archive holds less than the lock says": {archive: packed, edit: func(l *Library) { l.File.Size++ },
			wantErr: ErrMismatch, inErr: "bytes, want"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, lock := repository(t, good, c.archive)
			if c.edit != nil {
				c.edit(&lock.Libraries[0])
			}
			if err := lock.Write(dir); err != nil {
				t.Fatal(err)
			}
			lib := filepath.Join(dir, "linux-amd64", "lib", "libx.so")
			if c.before != nil {
				if err := os.MkdirAll(filepath.Dir(lib), 0o755); err != nil {
					t.Fatal(err)
				}
				c.before(lib)
			}
			done, err := Unpack(t.Context(), dir, testPlatform)
			if failed := err != nil; failed != (c.inErr != "") {
				t.Fatalf("error %v, want one with %q", err, c.inErr)
			}
			if err != nil {
				if c.wantErr != nil && !errors.Is(err, c.wantErr) || !strings.Contains(err.Error(), c.inErr) {
					t.Errorf("error %v, want %v with %q", err, c.wantErr, c.inErr)
				}
				if entries, _ := os.ReadDir(filepath.Dir(lib)); len(entries) != 0 {
					t.Errorf("a failed run left %v", entries)
				}
				return
			}
			if len(done) != 1 || !done[0].Fresh || done[0].Path != lib {
				t.Errorf("done = %+v", done)
			}
			if got, err := os.ReadFile(lib); err != nil || !bytes.Equal(got, good) {
				t.Errorf("unpacked %d bytes, err %v", len(got), err)
			}
			if entries, _ := os.ReadDir(filepath.Dir(lib)); len(entries) != 1 {
				t.Errorf("lib holds %v", entries)
			}
		})
	}
}

func TestSecondRunDoesNothing(t *testing.T) {
	good := content()
	dir, lock := repository(t, good, compress(t, good))
	if err := lock.Write(dir); err != nil {
		t.Fatal(err)
	}
	first, err := Unpack(t.Context(), dir, testPlatform)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(first[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	// Without the archive a second run succeeds only if it keeps the file.
	if err := os.Remove(filepath.Join(dir, "linux-amd64", "libx.so.xz")); err != nil {
		t.Fatal(err)
	}
	second, err := Unpack(t.Context(), dir, testPlatform)
	if err != nil || second[0].Fresh {
		t.Fatalf("second run: %+v, %v", second, err)
	}
	after, err := os.Stat(first[0].Path)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was replaced (%v)", err)
	}
}

func TestUnpackAtOnce(t *testing.T) {
	good := content()
	dir, lock := repository(t, good, compress(t, good))
	if err := lock.Write(dir); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := Unpack(t.Context(), dir, testPlatform); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	lib := filepath.Join(dir, "linux-amd64", "lib")
	if err := Verify(t.Context(), filepath.Join(lib, "libx.so"), lock.Libraries[0].File); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(lib); len(entries) != 1 {
		t.Errorf("lib holds %v", entries)
	}
}

func TestUnpackCancelled(t *testing.T) {
	good := content()
	dir, lock := repository(t, good, compress(t, good))
	if err := lock.Write(dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Unpack(ctx, dir, testPlatform); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestPlatformWithoutArchive(t *testing.T) {
	dir, lock := repository(t, nil, nil)
	lock.Libraries = []Library{{Platform: "darwin/arm64", Library: "x", File: File{Name: "libx.dylib"}}}
	if err := lock.Write(dir); err != nil {
		t.Fatal(err)
	}
	for _, platform := range []string{"darwin/arm64", "plan9/amd64"} {
		if _, err := Unpack(t.Context(), dir, platform); !errors.Is(err, ErrNotCommitted) {
			t.Errorf("%s: %v, want ErrNotCommitted", platform, err)
		}
	}
}

// TestBuiltElsewhere checks a library that a release workflow built in the same folder.
func TestBuiltElsewhere(t *testing.T) {
	dir, lock := repository(t, nil, nil)
	content := []byte("library")
	sum := sha256.Sum256(content)
	lock.Libraries = []Library{
		{Platform: "darwin/arm64", Library: "built", File: File{Name: "libbuilt.dylib"}},
		{Platform: "darwin/arm64", Library: "known", File: File{Name: "libknown.dylib", Size: int64(len(content)),
			SHA256: hex.EncodeToString(sum[:])}},
	}
	if err := lock.Write(dir); err != nil {
		t.Fatal(err)
	}
	lib := filepath.Join(dir, "darwin-arm64", "lib")
	put := func(name string, data []byte) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(lib, 0o755), os.WriteFile(filepath.Join(lib, name), data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("libbuilt.dylib", content)
	put("libknown.dylib", content)
	done, err := Unpack(t.Context(), dir, "darwin/arm64")
	if err != nil || len(done) != 2 || !done[0].Foreign || done[1].Foreign || done[0].Fresh || done[1].Fresh {
		t.Fatalf("%+v, %v", done, err)
	}
	put("libknown.dylib", []byte("another"))
	if _, err := Unpack(t.Context(), dir, "darwin/arm64"); !errors.Is(err, ErrMismatch) {
		t.Errorf("another content: %v, want ErrMismatch", err)
	}
	put("libbuilt.dylib", nil)
	if _, err := Unpack(t.Context(), dir, "darwin/arm64"); !errors.Is(err, ErrMismatch) {
		t.Errorf("nothing in it: %v, want ErrMismatch", err)
	}
}

func TestReadLockRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":                 `{"schema": 1, `,
		"another schema":          `{"schema": 2}`,
		"platform that climbs":    `{"schema":1,"libraries":[{"platform":"linux/..","file":{"name":"x"}}]}`,
		"platform without a part": `{"schema":1,"libraries":[{"platform":"linux","file":{"name":"x"}}]}`,
		"name with a folder":      `{"schema":1,"libraries":[{"platform":"linux/amd64","file":{"name":"../x"}}]}`,
		"committed without a hash": `{"schema":1,"libraries":[{"platform":"linux/amd64","file":{"name":"x","size":1},
			"archive":{"name":"x.xz","size":1,"sha256":"` + strings.Repeat("0", 64) + `"}}]}`,
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, LockName), []byte(text))
		if _, err := ReadLock(dir); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := ReadLock(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing lock file: %v", err)
	}
}

// TestCommittedArchives checks that the repository's lock file is complete and matches the committed archives.
func TestCommittedArchives(t *testing.T) {
	lock, err := ReadLock(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range []string{"onnxruntime", "lancedb"} {
		if lib := lock.Find("linux/amd64", library); lib == nil || !lib.Committed() {
			t.Errorf("%s is not committed for linux/amd64", library)
		}
	}
	for _, lib := range lock.Libraries {
		if lib.Committed() {
			if err := Verify(t.Context(), filepath.Join(lib.Folder(), lib.Archive.Name), lib.Archive); err != nil {
				t.Error(err)
			}
		}
	}
	if lock.Find(runtime.GOOS+"/"+runtime.GOARCH, "onnxruntime") == nil {
		t.Logf("no entry for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
