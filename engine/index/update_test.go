package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/watch"
)

func TestUpdate(t *testing.T) {
	f := project(t, shop, nil).run()
	f.build()
	first := f.Store().Metadata().LastIncrementalUpdate

	f.changed("pay/refund.go", "nowhere.go", "../outside")
	wantEqual(t, f.Store().Metadata().LastIncrementalUpdate.Equal(first),
		true, "a batch in which nothing had changed counts as an update")
	f.write("pay/charge.go", "package pay\n\n// Charge costs nothing.\n")
	f.write("ship/label.go", "package ship\n\n// Label prints.\n")
	f.write("pay/unheard.go", "package pay\n\n// No event reports this file.\n")
	f.remove("docs")
	f.changed("pay/charge.go", "ship", "docs/guide.md")
	f.wantFiles(".gitignore code", "empty/nothing.c code", "pay/charge.go code", "pay/refund.go code",
		"ship/label.go code")
	if !f.has("pay/charge.go", "Charge costs nothing") || f.has("pay/charge.go", "Charge takes money") {
		t.Error("the old rows answer")
	}
	wantEqual(t, f.Store().Metadata().LastIncrementalUpdate.After(first), true, "the update is in no metadata")
	f.rescan()
	f.wantFiles(".gitignore code", "empty/nothing.c code", "pay/charge.go code", "pay/refund.go code",
		"pay/unheard.go code", "ship/label.go code")

	// Files that are text now, are gone, and are binary now.
	f.write("blob.dat", "text now\n")
	f.remove("key.txt")
	f.write("pay/charge.go", "\x00 binary now")
	for range 2 { // the second time from memory, without opening the files again
		f.rescan()
		if got := f.Snapshot().Skipped; got[api.SkipBinary] != 1 || got[api.SkipSecret] != 0 {
			t.Errorf("skipped %v", got)
		}
	}
	f.wantFiles(".gitignore code", "blob.dat code", "empty/nothing.c code", "pay/refund.go code", "pay/unheard.go code",
		"ship/label.go code")

	f.write(".gitignore", "pay/\n")
	rules := watch.Batch{Paths: []string{".gitignore"}, Ignore: true, Cause: watch.CausePolicy}
	must(t, f.Update(t.Context(), rules))
	f.wantFiles(".gitignore code", "blob.dat code", "empty/nothing.c code", "out.go code", "ship/label.go code")
}

// Windows' former limit is 260 characters.
func TestLongPaths(t *testing.T) {
	f := project(t, shop, nil).run()
	f.build()
	long := strings.Repeat("a folder of a name that is long/", 12) + "deep.go"
	f.write(long, "package deep\n\n// Deep is far down.\n")
	f.changed(long)
	wantEqual(t, f.has(long, "Deep is far down"), true, "not found")
	f.write(long, "package deep\n\n// Deep is farther down.\n")
	f.rescan()
	wantEqual(t, f.has(long, "Deep is farther down"), true, "its change is not found")
	if _, err := f.ReindexFile(t.Context(), long); err != nil {
		t.Error(err)
	}
}

func TestSetConfig(t *testing.T) {
	f := project(t, shop, nil).run()
	f.build()
	for _, tc := range []struct {
		change func(*api.Config)
		want   []string
	}{
		{func(c *api.Config) { c.Exclude = []string{"pay/**"} },
			[]string{".gitignore code", "docs/guide.md docs", "empty/nothing.c code"}},
		{func(c *api.Config) { c.Include = []string{"**/*.go"} },
			[]string{"pay/charge.go code", "pay/refund.go code"}},
		{func(c *api.Config) { c.IndexDocs = false },
			[]string{".gitignore code", "empty/nothing.c code", "pay/charge.go code", "pay/refund.go code"}},
		{func(c *api.Config) { c.DocPatterns = []string{"pay/**"} },
			[]string{".gitignore code", "docs/guide.md code", "empty/nothing.c code", "pay/charge.go docs",
				"pay/refund.go docs"}},
		{func(*api.Config) {}, indexed},
	} {
		cfg := api.DefaultConfig()
		tc.change(&cfg)
		must(t, f.SetConfig(t.Context(), f.opt.Roots, cfg, []string{"a warning"}))
		f.wantFiles(tc.want...)
	}
	if got := f.Snapshot().Warnings; len(got) != 1 || got[0] != "a warning" {
		t.Errorf("warnings %q", got)
	}
	bad := api.DefaultConfig()
	bad.Exclude = []string{"[a"}
	wantEqual(t, api.CodeOf(f.SetConfig(t.Context(), f.opt.Roots, bad, nil)), api.InvalidPattern, "a bad pattern: codeof")
	f.wantFiles(indexed...)
	f.build() // waits for the vectors
	if snap := f.Snapshot(); snap.Vectors != snap.Chunks {
		t.Errorf("%d vectors of %d chunks", snap.Vectors, snap.Chunks)
	}
}

// The files of another root have its prefix, and are removed with it.
func TestRoots(t *testing.T) {
	f := project(t, shop, nil)
	other := project(t, map[string]string{"a.go": "package a\n", "README.md": "# Read\n"}, nil)
	f.run()
	f.build()
	both := append(slices.Clone(f.opt.Roots), api.Root{Name: "lib", Path: other.root})
	must(t, f.SetConfig(t.Context(), both, api.DefaultConfig(), nil))
	f.wantFiles(append([]string{".gitignore code", "@lib/README.md docs", "@lib/a.go code"}, indexed[1:]...)...)
	if path, err := f.Tree().Absolute("@lib/a.go"); err != nil || path != filepath.Join(other.root, "a.go") {
		t.Errorf("%s, %v", path, err)
	}
	other.write("a.go", "package changed\n")
	f.changed("@lib/a.go")
	wantEqual(t, f.has("@lib/a.go", "package changed"), true, "a change in a further root is not indexed")
	must(t, os.Rename(other.root, other.root+".away"))
	f.remove("docs")
	f.rescan() // keeps the files of a missing root, but removes deleted files of the other root
	if s := f.Snapshot(); s.State == api.StateOffline || len(s.Notices) != 1 || s.Notices[0].Code != api.ProjectOffline ||
		!strings.Contains(s.Notices[0].UserMessage, "@lib") {
		t.Errorf("without one of its roots: %s, %v", s.State, s.Notices)
	}
	f.wantFiles(append([]string{".gitignore code", "@lib/README.md docs", "@lib/a.go code"}, indexed[2:]...)...)
	must(t, f.SetConfig(t.Context(), f.opt.Roots, api.DefaultConfig(), nil))
	f.wantFiles(append([]string{".gitignore code"}, indexed[2:]...)...)
}

// No file is removed, and indexing continues when the folder is back.
func TestRootGone(t *testing.T) {
	calls := 0
	f := project(t, shop, func(f *fixture) { f.opt.OnRootGone = func() { calls++ } }).run()
	f.build()
	away := f.root + ".away"
	must(t, os.Rename(f.root, away))
	f.rescan()
	f.wantFiles(indexed...)
	snap := f.Snapshot()
	if snap.State != api.StateOffline || snap.Problem == nil || snap.Problem.Code != api.ProjectOffline || calls != 1 {
		t.Errorf("%s, %v, OnRootGone called %d times", snap.State, snap.Problem, calls)
	}
	must(t, os.Rename(away, f.root))
	f.remove("docs")
	must(t, f.Update(t.Context(), watch.Batch{Back: true, Rescan: true, Cause: watch.CauseRoot}))
	if snap := f.Snapshot(); snap.State != api.StateReady || snap.Problem != nil {
		t.Errorf("back: %s, %v", snap.State, snap.Problem)
	}
	f.wantFiles(".gitignore code", "empty/nothing.c code", "pay/charge.go code", "pay/refund.go code")
}

func TestShared(t *testing.T) {
	f := project(t, shop, nil).run()
	theirs := map[string]bool{"pay/charge.go": true, "docs/guide.md": true}
	f.SetShared(func(_ api.Corpus, path, _ string) bool { return theirs[path] })
	f.build()
	f.wantFiles(".gitignore code", "empty/nothing.c code", "pay/refund.go code")
	stamp, _, err := f.Tree().Stat("pay/charge.go")
	if err != nil || !f.MatchesShared("pay/charge.go", stamp) || f.MatchesShared("pay/refund.go", stamp) {
		t.Errorf("which files are theirs: %v", err)
	}
	f.write("pay/charge.go", "package pay\n\n// Charge, as only this machine has it.\n")
	delete(theirs, "pay/charge.go") // the shared index no longer contains this content
	now, _, _ := f.Tree().Stat("pay/charge.go")
	wantEqual(t, f.MatchesShared("pay/charge.go", now), false, "a file that was changed counts as theirs")
	f.changed("pay/charge.go")
	f.wantFiles(".gitignore code", "empty/nothing.c code", "pay/charge.go code", "pay/refund.go code")
	f.SetShared(nil)
	must(t, f.RescanContents(t.Context()))
	f.wantFiles(indexed...)
}
