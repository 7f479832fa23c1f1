package scan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

type known map[string]entry

type entry struct {
	stamp   policy.Stamp
	checked time.Time
}

func (k known) Stamp(path string) (policy.Stamp, time.Time, bool) {
	e, ok := k[path]
	return e.stamp, e.checked, ok
}

func (k known) Paths() iter.Seq[string] { return maps.Keys(k) }

// commit adds all changes as checked an hour later, so that unchanged trusts their times.
func (k known) commit(c Changes) {
	for _, f := range c.Changed {
		k[f.Path] = entry{f.Stamp, time.Now().Add(time.Hour)}
	}
	for _, path := range c.Removed {
		delete(k, path)
	}
}

// quiet hides the user's configuration of Git and returns an empty folder.
func quiet(t testing.TB) (root string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return t.TempDir()
}

func write(t testing.TB, root string, files ...string) {
	t.Helper()
	for _, rel := range files {
		file := filepath.Join(root, filepath.FromSlash(rel))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte("content of "+rel), 0o644))
	}
}

func newPolicy(t testing.TB, root string) *policy.Policy {
	t.Helper()
	p, err := policy.New(root, api.DefaultConfig())
	must(t, err)
	return p
}

func paths(files []File) []string {
	out := []string{}
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

func diffOf(t testing.TB, p *policy.Policy, k known) Changes {
	t.Helper()
	c, err := Diff(context.Background(), p, k, false)
	must(t, err)
	return c
}

func expect(t *testing.T, what string, c Changes, changed, removed []string) {
	t.Helper()
	if got := paths(c.Changed); !slices.Equal(got, changed) {
		t.Errorf("%s: changed %q, want %q", what, got, changed)
	}
	if !slices.Equal(c.Removed, removed) {
		t.Errorf("%s: removed %q, want %q", what, c.Removed, removed)
	}
}

func TestWalk(t *testing.T) {
	root := quiet(t)
	write(t, root, "b.go", "a.go", "README.md", "sub/x.go", "sub/deep/y.go", "node_modules/a/b.js", "node_modules/c.js",
		".env", "img.png", "ign/a.go", "z.gen.go", "id_rsa")
	must(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("ign/\n*.gen.go\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(root, "big.txt"), make([]byte, 1<<20+1), 0o644))
	deep := strings.Repeat("d/", policy.MaxDepth+1) + "x.go"
	write(t, root, deep)
	for name, target := range map[string]string{"loop": ".", "sub/up": "..", "link.go": "a.go"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	var got []File
	report, err := Walk(context.Background(), newPolicy(t, root), func(f File) error {
		got = append(got, f)
		return nil
	})
	must(t, err)
	names := paths(got)
	if i, j := slices.Index(names, "a.go"), slices.Index(names, "b.go"); i > j {
		t.Errorf("files of a folder are not in order: %q", names)
	}
	slices.Sort(names)
	if want := []string{".gitignore", "README.md", "a.go", "b.go", "sub/deep/y.go", "sub/x.go"}; !slices.Equal(names,
		want) {
		t.Errorf("walk visits %q, want %q", names, want)
	}
	for _, f := range got {
		info, err := os.Lstat(filepath.Join(root, f.Path))
		if err != nil || f.Stamp.Size != info.Size() || !f.Stamp.ModTime.Equal(info.ModTime()) {
			t.Errorf("%s: stamp %+v", f.Path, f.Stamp)
		}
		if want := f.Path == "README.md"; (f.Corpus == api.CorpusDocs) != want {
			t.Errorf("%s: corpus %q", f.Path, f.Corpus)
		}
	}
	want := api.Skipped{api.SkipDenied: 2, api.SkipBinary: 1, api.SkipIgnored: 2, api.SkipSecret: 1, api.SkipSize: 1,
		api.SkipSymlink: 3, api.SkipDepth: 1}
	if diff := cmp.Diff(want, report.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if want := []string{"ign", "z.gen.go"}; !slices.Equal(report.Examples[api.SkipIgnored], want) {
		t.Errorf("examples %q, want %q", report.Examples[api.SkipIgnored], want)
	}
	if report.Files != 6 || report.Bytes == 0 {
		t.Errorf("report %+v", report)
	}
}

func TestWalkEnds(t *testing.T) {
	root := quiet(t)
	for i := range 200 {
		write(t, root, fmt.Sprintf("d%d/e/f/a.go", i))
	}
	p := newPolicy(t, root)
	stop := errors.New("stop")
	n := 0
	if _, err := Walk(context.Background(), p, func(File) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) || n != 3 {
		t.Errorf("visit's error: %v after %d files", err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Walk(ctx, p, func(File) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Diff(ctx, p, known{}, false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	if _, err := Paths(ctx, p, known{}, []string{"d1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
}

func TestDiff(t *testing.T) {
	root := quiet(t)
	write(t, root, "a.go", "b.go", "sub/c.go", "sub/deep/d.md", "keep/e.go")
	p, k := newPolicy(t, root), known{}
	all := []string{"a.go", "b.go", "keep/e.go", "sub/c.go", "sub/deep/d.md"}
	c := diffOf(t, p, k)
	expect(t, "first", c, all, nil)
	k.commit(c)
	c = diffOf(t, p, k)
	expect(t, "unchanged", c, []string{}, nil)
	if c.Unchanged != 5 {
		t.Errorf("same: %d", c.Unchanged)
	}
	full, err := Diff(context.Background(), p, k, true)
	must(t, err)
	expect(t, "full", full, all, nil)

	// An editor's atomic save that keeps size and time changes the inode.
	info, err := os.Stat(filepath.Join(root, "a.go"))
	must(t, err)
	write(t, root, "a.tmp")
	must(t, errors.Join(os.Chtimes(filepath.Join(root, "a.tmp"), time.Time{}, info.ModTime()),
		os.Truncate(filepath.Join(root, "a.tmp"), info.Size()),
		os.Rename(filepath.Join(root, "a.tmp"), filepath.Join(root, "a.go"))))
	must(t, errors.Join(os.Remove(filepath.Join(root, "b.go")), os.RemoveAll(filepath.Join(root, "sub/deep")),
		os.WriteFile(filepath.Join(root, "sub/.gitignore"), []byte("c.go\n"), 0o644)))
	write(t, root, "new/f.go")
	c = diffOf(t, p, k)
	expect(t, "after changes", c, []string{"a.go", "new/f.go", "sub/.gitignore"},
		[]string{"b.go", "sub/c.go", "sub/deep/d.md"})
	if k.commit(c); len(k) != 4 {
		t.Errorf("known: %v", k)
	}
}

func TestSame(t *testing.T) {
	base := time.Unix(1_700_000_000, 0)
	then := policy.Stamp{Size: 10, ModTime: base, Inode: 7}
	for _, c := range []struct {
		name    string
		now     policy.Stamp
		checked time.Time
		want    bool
	}{
		{"all equal, old enough", then, base.Add(racyWindow), true},
		{"checked too soon after the change", then, base.Add(racyWindow - time.Nanosecond), false},
		{"time in the future", then, base.Add(-time.Hour), false},
		{"size", policy.Stamp{Size: 11, ModTime: base, Inode: 7}, base.Add(time.Hour), false},
		{"time", policy.Stamp{Size: 10, ModTime: base.Add(1), Inode: 7}, base.Add(time.Hour), false},
		{"older time", policy.Stamp{Size: 10, ModTime: base.Add(-1), Inode: 7}, base.Add(time.Hour), false},
		{"inode", policy.Stamp{Size: 10, ModTime: base, Inode: 8}, base.Add(time.Hour), false},
		{"no inode", policy.Stamp{Size: 10, ModTime: base}, base.Add(time.Hour), true},
	} {
		if got := unchanged(c.now, then, c.checked); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPaths(t *testing.T) {
	root := quiet(t)
	write(t, root, "a.go", "b.go", "sub/c.go", "sub/deep/d.go", "dir/e.go", "file", "other/x.go")
	p, k := newPolicy(t, root), known{}
	k.commit(diffOf(t, p, k))
	run := func(what string, batch, changed, removed []string) {
		t.Helper()
		c, err := Paths(context.Background(), p, k, batch)
		must(t, err)
		expect(t, what, c, changed, removed)
		k.commit(c)
	}
	run("nothing has changed", []string{"a.go", "sub", "other/"}, []string{}, nil)
	write(t, root, "sub/new.go", "sub/n/o.go", "other/not-asked.go")
	must(t, os.Remove(filepath.Join(root, "b.go")))
	run("files and a folder", []string{"sub", "sub/new.go", "b.go", "b.go", "never.go", "../x", "bad\xff"},
		[]string{"sub/n/o.go", "sub/new.go"}, []string{"b.go"})
	must(t, os.RemoveAll(filepath.Join(root, "sub")))
	run("a folder is gone", []string{"sub"}, []string{}, []string{"sub/c.go", "sub/deep/d.go", "sub/n/o.go", "sub/new.go"})
	must(t, errors.Join(os.RemoveAll(filepath.Join(root, "dir")), os.Remove(filepath.Join(root, "file"))))
	write(t, root, "dir", "file/in.go")
	run("folder and file change places", []string{"dir", "file"}, []string{"dir", "file/in.go"},
		[]string{"dir/e.go", "file"})
	must(t, os.Rename(filepath.Join(root, "other"), filepath.Join(root, "moved")))
	if err := os.Symlink("moved", filepath.Join(root, "other")); err != nil {
		t.Skip(err)
	}
	run("a link takes a folder's place", []string{"other", "moved"}, []string{"moved/not-asked.go", "moved/x.go"},
		[]string{"other/x.go"})
	run("everything", []string{"a.go", "."}, []string{}, nil)
	c := diffOf(t, p, k)
	expect(t, "a walk finds the same", c, []string{}, nil)
}

func TestRootGone(t *testing.T) {
	quiet(t)
	base := t.TempDir()
	root := filepath.Join(base, "project")
	write(t, root, "a.go", "sub/b.go")
	p, k := newPolicy(t, root), known{}
	k.commit(diffOf(t, p, k))
	gone := func(what string, p *policy.Policy) {
		t.Helper()
		if c, err := Diff(context.Background(), p, k, false); !errors.Is(err, ErrRootGone) || len(c.Removed) > 0 {
			t.Errorf("%s: Diff: %v, %v", what, c.Removed, err)
		}
		if c, err := Paths(context.Background(), p, k, []string{"a.go", "sub"}); !errors.Is(err, ErrRootGone) ||
			len(c.Removed) > 0 {
			t.Errorf("%s: Paths: %v, %v", what, c.Removed, err)
		}
	}
	must(t, os.Rename(root, root+".away"))
	gone("missing", p)
	must(t, os.Mkdir(root, 0o755))
	gone("an empty mount point", p)
	gone("an empty mount point after a restart", newPolicy(t, root))
	must(t, errors.Join(os.Remove(root), os.Rename(root+".away", root)))
	expect(t, "it is back", diffOf(t, p, k), []string{}, nil)
	must(t, errors.Join(os.Remove(filepath.Join(root, "a.go")), os.RemoveAll(filepath.Join(root, "sub"))))
	expect(t, "a person deleted everything", diffOf(t, p, k), []string{}, []string{"a.go", "sub/b.go"})
	if c, err := Diff(context.Background(), newPolicy(t, root), known{}, false); err != nil || len(c.Changed) != 0 {
		t.Errorf("an empty project nothing is known of: %v, %v", c, err)
	}
}

func TestVanishing(t *testing.T) {
	root := quiet(t)
	for i := range 50 {
		write(t, root, fmt.Sprintf("keep/%d.go", i))
	}
	p := newPolicy(t, root)
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			dir := filepath.Join(root, "gone", fmt.Sprint(i%3))
			err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "x.go"), nil, 0o644),
				os.RemoveAll(filepath.Join(root, "gone")))
			if err != nil {
				done <- err
				return
			}
		}
	}()
	for range 100 {
		kept := 0
		report, err := Walk(context.Background(), p, func(f File) error {
			if strings.HasPrefix(f.Path, "keep/") {
				kept++
			}
			return nil
		})
		if err != nil || kept != 50 || len(report.Unreadable) > 0 {
			t.Fatalf("walk during deletions: %v, %d files, unreadable %q", err, kept, report.Unreadable)
		}
	}
	close(stop)
	must(t, <-done)
}

func TestHash(t *testing.T) {
	// example of FIPS 180-4
	if got := Hash([]byte("abc")); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("Hash(abc) = %s", got)
	}
}

func TestRulesOfAnotherFolder(t *testing.T) {
	root := quiet(t)
	write(t, root, "dir/a.go", "dir/b.go")
	p, k := newPolicy(t, root), known{}
	k.commit(diffOf(t, p, k))
	write(t, root, "other/b.go")
	must(t, errors.Join(os.WriteFile(filepath.Join(root, "other/.gitignore"), []byte("a.go\n.gitignore\n"), 0o644),
		os.Rename(filepath.Join(root, "dir/a.go"), filepath.Join(root, "other/a.go")),
		os.RemoveAll(filepath.Join(root, "dir")),
		os.Rename(filepath.Join(root, "other"), filepath.Join(root, "dir"))))
	c, err := Paths(context.Background(), p, k, []string{"dir"})
	must(t, err)
	expect(t, "replaced", c, []string{"dir/b.go"}, []string{"dir/a.go"})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
