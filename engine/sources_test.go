package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/scan"
)

func putFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// openSourced opens an engine that is closed with the test.
func openSourced(t *testing.T, data string) *Engine {
	t.Helper()
	e := openFast(t, data)
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestArchiveOfSession is the conflict table's order.
func TestArchiveOfSession(t *testing.T) {
	e := openSourced(t, t.TempDir())
	own := filepath.Join(e.opt.Data, "archive", "search.db")
	work := t.TempDir()
	check := func(env, dir, want string, exists bool) {
		t.Helper()
		if path, ok := e.Archive(env, dir); path != want || ok != exists {
			t.Errorf("%q, %q: %s %v, want %s %v", env, dir, path, ok, want, exists)
		}
	}
	check("", "", own, false)
	check("", work, own, false)
	check("/x/y.db", work, "/x/y.db", true)
	local := filepath.Join(work, "data", "search.db")
	putFile(t, local, "")
	check("", work, local, true)
	check("/x/y.db", work, "/x/y.db", true)
	putFile(t, own, "")
	check("", "", own, true)
	if err := os.Remove(local); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(own, local); err == nil {
		check("", work, own, true) // a link could lead anywhere
	}
}

// TestDocumentsFollowRules: what a configuration excludes is no document from the next call on.
func TestDocumentsFollowRules(t *testing.T) {
	data := t.TempDir()
	e := openSourced(t, data)
	root, err := scan.CanonicalRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, filepath.Join(root, "README.md"), "# Readme")
	putFile(t, filepath.Join(root, "drafts", "plan.md"), "# Plan")
	folders := []api.DocumentFolder{{Root: root}}
	names := func() []string {
		t.Helper()
		list, err := e.Documents(t.Context(), folders)
		if err != nil {
			t.Fatal(err)
		}
		out := []string{}
		for _, d := range list {
			out = append(out, d.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"README.md", "drafts/plan.md"}) || !e.HasDocuments(t.Context(), folders) {
		t.Error(got)
	}
	putFile(t, filepath.Join(data, "config.json"), `{"exclude": ["drafts/**"]}`)
	if got := names(); !slices.Equal(got, []string{"README.md"}) {
		t.Error(got)
	}
	if _, err := e.ReadDocument(t.Context(), folders, "drafts/plan.md"); api.CodeOf(err) != api.FileNotIndexable {
		t.Error(err)
	}
	if text, n, err := e.SearchDocuments(t.Context(), folders, api.DocumentQuery{Text: "plan", In: "both", Limit: 10}); n != 0 || err != nil {
		t.Error(text, n, err)
	}
}

func TestFolderOfName(t *testing.T) {
	folders := []api.DocumentFolder{{Root: "/a"}, {Root: "/b", Prefix: "@lib/"}}
	for name, want := range map[string][2]string{
		"x.md": {"/a", "x.md"}, "@lib/x.md": {"/b", "x.md"}, "@LIB/x.md": {"/b", "x.md"}, "@other/x.md": {"/a", "@other/x.md"}, "@lib/": {"/a", "@lib/"},
	} {
		if f, key, ok := folderOf(folders, name); !ok || f.Root != want[0] || key != want[1] {
			t.Errorf("%s: %s %s %v", name, f.Root, key, ok)
		}
	}
	if _, _, ok := folderOf(nil, "x.md"); ok {
		t.Error("a folder where there is none")
	}
}

func TestDocumentFoldersSetting(t *testing.T) {
	e := openSourced(t, t.TempDir())
	root, err := scan.CanonicalRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.SetSettings(map[string]any{settingFolders: root + "\n/nowhere/at/all\n/\n"}); err != nil {
		t.Fatal(err)
	}
	if got := e.DocumentFolders(); !slices.Equal(got, []string{root}) {
		t.Error(got)
	}
	if _, err := e.SetSettings(map[string]any{settingFolders: "relative"}); api.CodeOf(err) != api.InvalidArgument {
		t.Error(err)
	}
}
