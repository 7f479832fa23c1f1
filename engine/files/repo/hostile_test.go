package repo

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/files/repo/repotest"
)

var hostileDir = flag.String("hostile", "", "a folder to leave the hostile repositories in, at their full size")

const (
	kindCommit   = 1
	kindTree     = 2
	kindBlob     = 3
	kindOffset   = 6 // a delta to the object at a distance
	kindByName   = 7 // a delta to a named object
	anyTime      = "A <a@example.org> 1700000000 +0000"
	emptyTree    = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	bombDepth    = 45 // 2^45 folders
	chainCommits = 1_500_000
)

type name = [sha1.Size]byte

func nameOf(kind string, body []byte) name {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(body))
	h.Write(body)
	return name(h.Sum(nil))
}

type pack struct {
	body    bytes.Buffer
	z       *zlib.Writer
	entries []entry
}

type entry struct {
	name   name
	offset uint32
	crc    uint32
}

func newPack() *pack {
	p := &pack{}
	p.z, _ = zlib.NewWriterLevel(nil, zlib.BestSpeed)
	p.body.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00\x00") // the number of objects is written at the end
	return p
}

// add adds an object whose header contains size. between precedes the bytes of a delta.
func (p *pack) add(n name, kind, size int, between, body []byte) (offset int) {
	offset = p.body.Len()
	first := byte(kind<<4) | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.body.WriteByte(first | 0x80)
		first = byte(size & 0x7f)
	}
	p.body.WriteByte(first)
	p.body.Write(between)
	p.z.Reset(&p.body)
	p.z.Write(body)
	p.z.Close()
	p.entries = append(p.entries, entry{n, uint32(offset), crc32.ChecksumIEEE(p.body.Bytes()[offset:])})
	return offset
}

func (p *pack) tree(body []byte) name {
	n := nameOf("tree", body)
	p.add(n, kindTree, len(body), nil, body)
	return n
}

func (p *pack) commit(tree name, parent, message string) name {
	body := commitText(tree, parent, message)
	n := nameOf("commit", body)
	p.add(n, kindCommit, len(body), nil, body)
	return n
}

func commitText(tree name, parent, message string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %x\n", tree)
	if parent != "" {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s\n", anyTime, anyTime, message)
	return b.Bytes()
}

func (p *pack) write(t testing.TB, git string) {
	t.Helper()
	body := p.body.Bytes()
	binary.BigEndian.PutUint32(body[8:], uint32(len(p.entries)))
	sum := sha1.Sum(body)
	slices.SortFunc(p.entries, func(a, b entry) int { return bytes.Compare(a.name[:], b.name[:]) })
	var idx, crcs, offsets bytes.Buffer
	idx.WriteString("\xfftOc\x00\x00\x00\x02")
	at := 0
	for first := range 256 {
		for at < len(p.entries) && int(p.entries[at].name[0]) <= first {
			at++
		}
		binary.Write(&idx, binary.BigEndian, uint32(at))
	}
	for _, e := range p.entries {
		idx.Write(e.name[:])
		crcs.Write(binary.BigEndian.AppendUint32(nil, e.crc))
		offsets.Write(binary.BigEndian.AppendUint32(nil, e.offset))
	}
	idx.Write(crcs.Bytes())
	idx.Write(offsets.Bytes())
	idx.Write(sum[:])
	whole := sha1.Sum(idx.Bytes())
	idx.Write(whole[:])
	base := filepath.Join(git, "objects", "pack", fmt.Sprintf("pack-%x", sum))
	must(t, os.MkdirAll(filepath.Dir(base), 0o700))
	must(t, os.WriteFile(base+".pack", append(body, sum[:]...), 0o600))
	must(t, os.WriteFile(base+".idx", idx.Bytes(), 0o600))
}

func loose(t testing.TB, git string, n name, content io.Reader) {
	t.Helper()
	h := hex.EncodeToString(n[:])
	file := filepath.Join(git, "objects", h[:2], h[2:])
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	f, err := os.Create(file)
	must(t, err)
	z := zlib.NewWriter(f)
	_, err = io.Copy(z, content)
	must(t, errors.Join(err, z.Close(), f.Close()))
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// hostileRepository writes a repository with a file and the objects of write.
func hostileRepository(t testing.TB, dir string, write func(t testing.TB, git string, p *pack) name) {
	t.Helper()
	git := filepath.Join(dir, ".git")
	must(t, os.MkdirAll(filepath.Join(git, "refs", "heads"), 0o700))
	must(t, os.MkdirAll(filepath.Join(git, "objects", "info"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\n// Ask asks.\nfunc Ask() {}\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(git, "config"), []byte("[core]\n\trepositoryformatversion = 0\n"), 0o600))
	p := newPack()
	if n := write(t, git, p); n != (name{}) {
		must(t, os.WriteFile(filepath.Join(git, "HEAD"), []byte(hex.EncodeToString(n[:])+"\n"), 0o600))
	}
	if len(p.entries) > 0 {
		p.write(t, git)
	}
}

func treeOf(entries ...any) []byte {
	var b bytes.Buffer
	for i := 0; i < len(entries); i += 3 {
		n := entries[i+2].(name)
		fmt.Fprintf(&b, "%s %s\x00%s", entries[i], entries[i+1], n[:])
	}
	return b.Bytes()
}

// sized returns the full size if the repositories are kept, and small otherwise.
func sized[T int | int64](small, full T) T {
	if *hostileDir != "" {
		return full
	}
	return small
}

// hostile has functions that add objects to the repository's folder git or to its pack, and return the commit for HEAD,
// or no name if they write HEAD.
var hostile = map[string]func(t testing.TB, git string, p *pack) name{
	// Each commit is a delta to the previous commit, which overflows the stack of a recursive reader.
	"deepchain": func(t testing.TB, git string, p *pack) name {
		n := sized(2000, chainCommits)
		tree := p.tree(nil)
		body := commitText(tree, strings.Repeat("0", 40), "x")
		at := p.body.Len()
		last := nameOf("commit", body)
		p.add(last, kindCommit, len(body), nil, body)
		for range n {
			next := bytes.Clone(body)
			hex.Encode(next[53:93], last[:])
			// copy 0..53, insert 40, copy the remaining bytes
			delta := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(body))), uint64(len(next)))
			delta = append(delta, 0x90, 53, 40)
			delta = append(delta, next[53:93]...)
			delta = append(delta, 0x91, 93, byte(len(body)-93))
			back := p.body.Len() - at
			between := []byte{byte(back & 0x7f)}
			for back >>= 7; back > 0; back >>= 7 {
				back--
				between = append([]byte{0x80 | byte(back&0x7f)}, between...)
			}
			at = p.body.Len()
			last, body = nameOf("commit", next), next
			p.add(last, kindOffset, len(delta), between, delta)
		}
		return last
	},
	"selfdelta": func(t testing.TB, git string, p *pack) name {
		n := name{1, 2, 3}
		p.add(n, kindByName, 8, n[:], []byte{100, 100, 0x90, 100, 0, 0, 0, 0})
		return n
	},
	"altself": func(t testing.TB, git string, p *pack) name {
		objects, err := filepath.Abs(filepath.Join(git, "objects"))
		must(t, err)
		text := strings.Repeat(objects+"\n../objects\n../../.git/objects\n", 20)
		must(t, os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte(text), 0o600))
		return name{9}
	},
	"treecycle": func(t testing.TB, git string, p *pack) name {
		self := name{7, 7, 7}
		body := treeOf("40000", "again", self)
		p.add(self, kindTree, len(body), nil, body)
		first := p.commit(p.tree(nil), "", "first")
		return p.commit(self, hex.EncodeToString(first[:]), "second")
	},
	"loosebomb": func(t testing.TB, git string, p *pack) name {
		n := name{5}
		size := sized(int64(50<<20), 1500<<20)
		loose(t, git, n, io.MultiReader(strings.NewReader("commit 200\x00"), io.LimitReader(zeros{}, size)))
		return n
	},
	"packlie": func(t testing.TB, git string, p *pack) name {
		n := name{6}
		size := sized(50<<20, 1<<30)
		p.add(n, kindCommit, 200, nil, make([]byte, size))
		return n
	},
	// A valid repository of three commits. The second has 2^45 folders.
	"gitbomb": func(t testing.TB, git string, p *pack) name {
		text := []byte("x")
		blob := nameOf("blob", text)
		p.add(blob, kindBlob, len(text), nil, text)
		tree := p.tree(treeOf("100644", "f", blob))
		for range bombDepth {
			tree = p.tree(treeOf("40000", "a", tree, "40000", "b", tree))
		}
		plain := p.tree(treeOf("100644", "a.go", blob))
		first := p.commit(plain, "", "first")
		middle := p.commit(tree, hex.EncodeToString(first[:]), "bomb")
		return p.commit(plain, hex.EncodeToString(middle[:]), "gone")
	},
	"digits": func(t testing.TB, git string, p *pack) name {
		n := name{8}
		size := sized(50<<20, 1<<30)
		loose(t, git, n, io.MultiReader(strings.NewReader("commit "), bytes.NewReader(bytes.Repeat([]byte{'9'}, size))))
		return n
	},
	"hugehead": func(t testing.TB, git string, p *pack) name {
		f, err := os.Create(filepath.Join(git, "HEAD"))
		must(t, err)
		size := sized(int64(64<<20), 1500<<20)
		must(t, errors.Join(f.Truncate(size), f.Close()))
		return name{}
	},
	// Two hundred commits with messages of 15 MB each, 4 MB on disk.
	"messages": func(t testing.TB, git string, p *pack) name {
		text := []byte("x")
		blob := nameOf("blob", text)
		p.add(blob, kindBlob, len(text), nil, text)
		n := sized(5, 200)
		parent, size := "", 15<<20
		var last name
		for i := range n {
			tree := p.tree(treeOf("100644", fmt.Sprint(i, ".go"), blob))
			last = p.commit(tree, parent, strings.Repeat("a", size))
			parent = hex.EncodeToString(last[:])
		}
		return last
	},
	"include": func(t testing.TB, git string, p *pack) name {
		text := strings.Repeat("[include] path = config\n", 12)
		must(t, os.WriteFile(filepath.Join(git, "config"), []byte(text), 0o600))
		return name{4}
	},
}

func TestHostile(t *testing.T) {
	repotest.Need(t)
	for kind, write := range hostile {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			if *hostileDir != "" {
				dir = filepath.Join(*hostileDir, kind)
				must(t, os.MkdirAll(dir, 0o700))
			}
			hostileRepository(t, dir, write)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			begun := time.Now()
			commits, err := Commits(ctx, dir, 1000)
			took := time.Since(begun)
			runtime.ReadMemStats(&after)
			t.Logf("%d commits, %v, %s", len(commits), err, took.Round(time.Millisecond))
			if err == nil && len(commits) == 0 && kind != "hugehead" {
				t.Error("nothing was read, and nothing says so")
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 20 {
				t.Errorf("%d MB were allocated here", mb)
			}
			if took > 30*time.Second {
				t.Errorf("took %s, 2 s were given", took)
			}
		})
	}
}

func TestLargeFolders(t *testing.T) {
	repotest.Need(t)
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		repotest.Git(t, dir, "init", "-q", "--object-format="+format)
		for i := range 600 {
			must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("a_rather_long_name_of_a_file_%d.go", i)), nil, 0o600))
		}
		commit(t, dir, "all of them", "b.go")
		commit(t, dir, "repair b", "b.go")
		commit(t, dir, "repair c", "c.go")
		shared := filepath.Join(t.TempDir(), `sha"red:x`)
		repotest.Git(t, dir, "clone", "-q", "--shared", dir, shared)
		for _, when := range []string{"loose", "packed"} {
			for _, folder := range []string{dir, shared} {
				got, err := Commits(t.Context(), folder, 100)
				if want := "repair b: b.go\nrepair c: c.go"; err != nil || summary(got) != want {
					t.Errorf("%s, %s, %s: %v\n%s", format, when, filepath.Base(folder), err, summary(got))
				}
			}
			repotest.Git(t, dir, "gc", "-q")
		}
	}
}

func TestNothingIsRun(t *testing.T) {
	dir := repository(t)
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\necho x >>'"+ran+"'\n"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"), []byte("* diff=evil filter=evil\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* diff=evil filter=evil\n"), 0o600))
	commit(t, dir, "attributes", "f.go")
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass",
		"diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "gpg.program", "gpg.ssh.program", "pager.log", "alias.log", "credential.helper",
		"core.gitProxy", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
		"interactive.diffFilter", "sequence.editor", "trace2.eventTarget"} {
		value := program
		if key == "alias.log" {
			value = "!" + program
		}
		repotest.Git(t, dir, "config", key, value)
	}
	for key, value := range map[string]string{"log.showSignature": "true", "extensions.partialClone": "origin",
		"remote.origin.promisor": "true", "remote.origin.url": "ext::" + program, "protocol.ext.allow": "always",
		"core.hooksPath": filepath.Dir(program), "core.repositoryformatversion": "1"} {
		repotest.Git(t, dir, "config", key, value)
	}
	must(t, os.MkdirAll(filepath.Join(dir, ".git", "objects", "pack"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".git", "objects", "pack", "pack-x.promisor"), nil, 0o600))
	tree := repotest.Git(t, dir, "rev-parse", "HEAD~2:sub")
	must(t, os.Remove(filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])))
	t.Setenv("GIT_EXTERNAL_DIFF", program)
	t.Setenv("GIT_SSH_COMMAND", program)
	t.Setenv("GIT_PAGER", program)
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.fsmonitor="+program+"'")
	got, err := Commits(t.Context(), dir, 100)
	if err != nil || len(got) == 0 {
		t.Errorf("%d commits, %v", len(got), err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository's was run")
	}
	must(t, os.WriteFile(filepath.Join(dir, "f.go"), []byte("changed"), 0o600))
	_ = exec.Command("git", "-C", dir, "diff").Run()
	if _, err := os.Stat(ran); err != nil {
		t.Error("the trap does not work: ", err)
	}
}
