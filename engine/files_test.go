package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// Notes of a search in several projects name their project, once. A search counts for the projects with
// results.
func TestNotesNameTheirProject(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	roots := []string{tree(t, shop), tree(t, shop), tree(t, shop)}
	must(t, os.WriteFile(filepath.Join(roots[0], "one.go"), []byte("package one\n\nfunc onlyHere() {}\n"), 0o600))
	for _, root := range roots {
		create(t, e, root)
	}
	must(t, e.Pause(roots[1]))
	want := "Project " + e.Find(roots[1]).Snapshot().Name + ": Indexing is paused; recent changes may be missing."
	files, err := e.Files(t.Context(), roots, api.FileQuery{Pattern: "**/charge.go", Limit: 10})
	if err != nil || !slices.Contains(files.Notes, want) {
		t.Errorf("files: %q, %v", files.Notes, err)
	}
	found, err := e.Search(t.Context(), roots, api.Query{Text: "charge", Corpus: api.CorpusCode, TopK: 5})
	if err != nil || !slices.Contains(found.Notes, want) {
		t.Errorf("search: %q, %v", found.Notes, err)
	}
	names, err := e.Symbol(t.Context(), roots, api.SymbolQuery{Name: "Charge"})
	if err != nil || !slices.Contains(names.Notes, want) {
		t.Errorf("symbol: %q, %v", names.Notes, err)
	}
	if _, err = e.Search(t.Context(), roots, api.Query{Text: "onlyHere", Corpus: api.CorpusCode, TopK: 5}); err != nil {
		t.Error(err)
	}
	first, second := e.Find(roots[0]).Snapshot().LastAsked, e.Find(roots[2]).Snapshot().LastAsked
	if second.IsZero() || !first.After(second) {
		t.Errorf("last searched at %v and %v, although only the first answered twice", first, second)
	}
}

// An unsearchable project is reported. It is an error if all are.
func TestFilesOfSeveralProjects(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	root, gone := tree(t, shop), filepath.Join(t.TempDir(), "gone")
	create(t, e, root)
	q := api.FileQuery{Pattern: "**/charge.go", Limit: 10}
	for _, roots := range [][]string{{gone, root}, {root, gone}} {
		r, err := e.Files(t.Context(), roots, q)
		if err != nil || !slices.Equal(r.Matches, []string{e.Find(root).Snapshot().Name + ":pay/charge.go"}) || r.Total != 1 {
			t.Errorf("%q: %+v, %v", roots, r, err)
		}
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "Not searched: "+gone+". ") }) {
			t.Errorf("%q: the project that was not searched is not named: %q", roots, r.Notes)
		}
		if r.IndexedAt.IsZero() {
			t.Errorf("%q: no time of the index", roots)
		}
	}
	if r, err := e.Files(t.Context(), []string{gone, gone + "2"}, q); api.CodeOf(err) != api.IndexNotFound {
		t.Errorf("no project at all: %+v, %v", r, err)
	}
}
