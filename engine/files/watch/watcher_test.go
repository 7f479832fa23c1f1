package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestFilesAndFolders(t *testing.T) {
	r := watchFolder(t, t.TempDir(), Options{}).started()
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"create", func() { r.write("a.go", "1") }, []string{"a.go"}},
		{"edit", func() { r.write("a.go", "2") }, []string{"a.go"}},
		{"rename", func() { r.do(os.Rename(r.abs("a.go"), r.abs("b.go"))) }, []string{"a.go", "b.go"}},
		{"delete", func() { r.do(os.Remove(r.abs("b.go"))) }, []string{"b.go"}},
		{"deep folders with a file at once", func() { r.write("x/y/z/w/deep.go", "1") }, []string{"x/y/z/w/deep.go"}},
		{"edit deep below", func() { r.write("x/y/z/w/deep.go", "22") }, []string{"x/y/z/w/deep.go"}},
		{"rename a folder", func() { r.do(os.Rename(r.abs("x/y"), r.abs("x/v"))) }, []string{"x/y", "x/v/z/w/deep.go"}},
		{"edit in the renamed folder", func() { r.write("x/v/z/w/deep.go", "333") }, []string{"x/v/z/w/deep.go"}},
		{"atomic save", func() {
			r.write("x/v/.deep.go.tmp", "4444")
			r.do(os.Rename(r.abs("x/v/.deep.go.tmp"), r.abs("x/v/z/w/deep.go")))
		}, []string{"x/v/z/w/deep.go"}},
		{"move there and back", func() {
			r.do(os.Rename(r.abs("x"), r.abs("y")))
			r.do(os.Rename(r.abs("y"), r.abs("x")))
		}, []string{"x"}},
		{"edit after there and back", func() { r.write("x/v/z/new.go", "5") }, []string{"x/v/z/new.go"}},
		{"replace a folder by a new one", func() { r.do(os.RemoveAll(r.abs("x/v"))); r.write("x/v/z/n.go", "6") },
			[]string{"x/v/z/n.go"}},
		{"edit in the replaced folder", func() { r.write("x/v/z/n.go", "77") }, []string{"x/v/z/n.go"}},
		{"folder becomes file", func() { r.do(os.RemoveAll(r.abs("x/v"))); r.write("x/v", "8") }, []string{"x/v"}},
		{"file becomes folder", func() { r.do(os.Remove(r.abs("x/v"))); r.write("x/v/q/f.go", "9") }, []string{"x/v/q/f.go"}},
		{"delete everything", func() { r.do(os.RemoveAll(r.abs("x"))) }, []string{"x"}},
	}
	for _, s := range steps {
		r.forget()
		s.do()
		r.expect(s.want...)
		r.sentinel()
		if runtime.GOOS == "linux" {
			r.sameWatches()
		}
		if t.Failed() {
			t.Fatalf("after %q", s.name)
		}
	}
}

func TestMoveAcrossTheRoot(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "lib", "deep", "a.go"), "1")
	r := watchFolder(t, root, Options{}).started()

	r.do(os.Rename(filepath.Join(outside, "lib"), r.abs("lib")))
	r.expect("lib/deep/a.go")
	r.forget()
	r.write("lib/deep/a.go", "22")
	r.expect("lib/deep/a.go")

	r.forget()
	r.do(os.Rename(r.abs("lib"), filepath.Join(outside, "gone")))
	r.expect("lib")
	r.sentinel() // may be reported twice
	r.forget()
	write(t, filepath.Join(outside, "gone", "deep", "a.go"), "333")
	if bs := r.sentinel(); contains(bs, "lib/deep/a.go") {
		t.Errorf("events for a removed folder: %s", show(bs))
	}
	wantList(t, r.watchedFolders("."), []string{"."}, "watched")
}

func TestFoldersThatCostNoWatch(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, p := range []string{"src/a.go", "node_modules/x/y/i.js", ".git/objects/aa/b", "src/node_modules/z.js"} {
		write(t, filepath.Join(root, p), "1")
	}
	write(t, filepath.Join(outside, "secret", "k"), "1")
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(root, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	r := watchFolder(t, root, Options{}).started()
	want := []string{".", "src"}
	if got := r.watchedFolders(want...); !slices.Equal(got, want) {
		t.Fatalf("watched %q, want %q", got, want)
	}
	r.write("node_modules/later/i.js", "1")
	r.write("lib/node_modules/later/i.js", "1")
	r.do(os.Symlink(outside, r.abs("lib/link")))
	r.expect("lib/link")
	want = []string{".", "lib", "src"}
	if got := r.watchedFolders(want...); !slices.Equal(got, want) {
		t.Fatalf("watched %q, want %q", got, want)
	}
	r.sentinel() // the link may be reported twice, with its folder and by itself
	r.forget()
	write(t, filepath.Join(outside, "secret", "k"), "22")
	r.write("x.o", "1")
	bs := r.sentinel()
	for _, p := range []string{"link/k", "lib/link/secret/k", "x.o", "node_modules/later/i.js"} {
		if contains(bs, p) {
			t.Errorf("event for %s: %s", p, show(bs))
		}
	}
}

func TestFolderReplacedByLink(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "a", "f.go"), "1")
	r := watchFolder(t, root, Options{}).started()
	r.do(os.RemoveAll(r.abs("a")))
	r.do(os.Symlink(outside, r.abs("a")))
	r.expect("a")
	r.sentinel()
	r.sameWatches()
}

func TestUnreadableFolder(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "shut", "in", "a.go"), "1")
	shut := filepath.Join(root, "shut")
	must(t, os.Chmod(shut, 0))
	t.Cleanup(func() { _ = os.Chmod(shut, 0o700) })
	r := watchFolder(t, root, Options{}).started()
	r.write("b.go", "1")
	r.expect("b.go")
	r.do(os.Chmod(shut, 0o700))
	if os.Geteuid() != 0 {
		r.expect("shut/in/a.go")
	}
	r.sentinel()
	r.sameWatches()
	r.forget()
	r.write("shut/in/a.go", "22")
	r.expect("shut/in/a.go")
}

func TestIgnoreFile(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "build", "deep", "a.go"), "1")
	write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(root, ".git", "info", "exclude"), "")
	r := watchFolder(t, root, Options{Prefix: "@lib/"}).started()
	ignored := func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.Ignore && b.Root == "@lib/" }) }

	r.rules.ignoreNext("build")
	r.write(".gitignore", "build\n")
	r.await("an ignore batch", ignored)
	if want := []string{".", ".git/info"}; !slices.Equal(r.watchedFolders(want...), want) {
		t.Errorf("watched %q", r.watchedFolders())
	}
	r.forget()
	r.rules.ignoreNext()
	write(t, r.abs(".git/info/exclude"), "nothing\n")
	r.await("an ignore batch", ignored)
	r.forget()
	r.write("build/deep/a.go", "22")
	r.await("@lib/build/deep/a.go", func(bs []Batch) bool { return contains(bs, "@lib/build/deep/a.go") })
}

func TestRootRemovedAndBack(t *testing.T) {
	root := filepath.Join(t.TempDir(), "project")
	write(t, filepath.Join(root, "a", "b.go"), "1")
	r := watchFolder(t, root, Options{}).started()
	gone := func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.RootGone }) }
	back := func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.Back && b.Rescan }) }

	r.do(os.RemoveAll(root))
	r.await("root gone", gone)
	if s := r.w.Status(); s.Active || s.Note == "" {
		t.Errorf("status without root: %+v", s)
	}
	r.write("a/c.go", "1")
	r.w.Check()
	r.await("root back", back)
	r.settled() // the root may be found before its entries

	r.forget()
	r.do(os.Rename(root, root+".old"))
	r.write("n/e.go", "1")
	r.w.Check()
	r.await("root replaced", back)
	r.sentinel()
	r.sameWatches()
	r.forget()
	r.write("n/e.go", "22")
	r.expect("n/e.go")
}

func TestRootMissingAtStart(t *testing.T) {
	root := filepath.Join(t.TempDir(), "later")
	r := watchFolder(t, root, Options{})
	r.await("root gone", func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.RootGone }) })
	r.write("a.go", "1")
	r.w.Check()
	r.await("root back", func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.Back }) })
	r.forget()
	r.write("a.go", "22")
	r.expect("a.go")
}

func TestRandomOperations(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	r := watchFolder(t, t.TempDir(), Options{}).started()
	bursts := 15
	if testing.Short() {
		bursts = 4
	}
	for range bursts {
		for range 40 {
			r.randomly(rng)
		}
		r.sentinel()
		r.settled()
		r.forget()
		var want []string
		for _, d := range r.admitted() {
			name := path.Join(d, fmt.Sprintf("probe%d", rng.IntN(1000)))
			r.write(name, "x"+name)
			want = append(want, name)
		}
		r.expect(want...)
	}
}

func (r *rig) settled() {
	r.t.Helper()
	for range 100 {
		if want := r.admitted(); slices.Equal(outsideGit(r.watchedFolders(want...)), want) {
			return
		}
		r.sentinel()
	}
	r.sameWatches()
}

func (r *rig) removeAll(rel string) {
	r.t.Helper()
	for range 100 {
		err := os.RemoveAll(r.abs(rel))
		if err == nil {
			return
		}
		if runtime.GOOS != "windows" {
			r.t.Fatal(err)
		}
		r.sentinel()
	}
	r.t.Fatalf("%s: still in use", rel)
}

func (r *rig) randomly(rng *rand.Rand) {
	r.t.Helper()
	folders := r.admitted()
	some := func() string { return folders[rng.IntN(len(folders))] }
	name := func() string { return []string{"a", "b", "c", "d", "e"}[rng.IntN(5)] }
	d := some()
	switch rng.IntN(8) {
	case 0, 1:
		p := path.Join(d, name(), name(), name())
		_ = os.MkdirAll(r.abs(p), 0o700)
	case 2:
		_ = os.WriteFile(r.abs(path.Join(d, name())), []byte("1"), 0o600)
	case 3, 4, 5:
		_ = os.Rename(r.abs(d), r.abs(path.Join(some(), name()))) // may fail, for example into itself
	case 6:
		if d != "." {
			r.removeAll(d)
		}
	case 7:
		if d != "." && rng.IntN(2) == 0 {
			r.removeAll(d)
			r.do(os.MkdirAll(r.abs(path.Join(d, name())), 0o700))
		} else {
			_ = os.Symlink(r.root, r.abs(path.Join(d, name())))
		}
	}
}
