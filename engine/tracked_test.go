package engine

import (
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
)

func TestTrackedAndLeftOutIsNamed(t *testing.T) {
	t.Parallel()
	repotest.Need(t)
	root := tree(t, map[string]string{
		"src/run.go": "package src\n\nfunc RunThings() {}\n", ".gitignore": "local.go\n", "local.go": "package p\n",
		"tools/build/compile.go": "package build\n\nfunc CompileWidgets() {}\n", "tools/build/link.go": "package build\n",
		"out/made.go": "package out\n", "package-lock.json": "{}",
	})
	repotest.Git(t, root, "init", "-q")
	repotest.Git(t, root, "add", "-f", "src", "local.go", "tools", "package-lock.json")
	e := open(t, t.TempDir())
	create(t, e, root)
	const denied = "it is always excluded"
	all := "Tracked by Git but not in the index: local.go: an ignore file excludes it; tools/build/ (2 files): " + denied +
		"."
	p, err := e.Status(t.Context(), root)
	if err != nil || !slices.Contains(p.Warnings, all) {
		t.Errorf("status: %q, %v", p.Warnings, err)
	}
	for glob, want := range map[string]string{
		"": all, "src/**": "", "tools/build": "tools/build/ is not in the index: " + denied + ".",
		"out/*.go":         "out/ is not in the index: " + denied + ".",
		"local.go":         "local.go is not in the index: an ignore file excludes it.",
		"**/link.go":       "Tracked by Git but not in the index: tools/build/: " + denied + ".",
		"tools/made/up.go": "No indexed file matches the path tools/made/up.go.",
		"src/run.go:1-3":   "No indexed file matches the path src/run.go:1-3.",
		`src\run.go`:       `No indexed file matches the path src\run.go.`, "*.ts": "No indexed file matches the path *.ts.",
		"nope/**": "There is no folder nope/ in this project.",
	} {
		found, err := e.Search(t.Context(), []string{root}, api.Query{Text: "CompileWidgets", PathGlob: glob, TopK: 5,
			Corpus: api.CorpusCode})
		must(t, err)
		said := strings.Join(found.Notes, " ")
		if want != "" && !slices.Contains(found.Notes, want) || want == "" && strings.Contains(said, "not in the index") {
			t.Errorf("search of %q: %q", glob, found.Notes)
		}
		if glob == "" || strings.HasPrefix(glob, "src") {
			continue
		}
		files, err := e.Files(t.Context(), []string{root}, api.FileQuery{Pattern: glob, Limit: 5})
		if err != nil || want != "" && !slices.Contains(files.Notes, want) {
			t.Errorf("files of %q: %q, %v", glob, files.Notes, err)
		}
	}
	if _, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: "tools/build/compile.go"}); api.CodeOf(err) !=
		api.FileNotIndexable || !strings.Contains(err.Error(), "tools/build/ is left out") {
		t.Errorf("outline: %v", err)
	}
	repotest.Git(t, root, "rm", "-q", "-f", "--cached", "local.go", "tools/build/link.go")
	want := "Tracked by Git but not in the index: tools/build/: " + denied + "."
	if p, err := e.Status(t.Context(), root); err != nil || !slices.Contains(p.Warnings, want) {
		t.Errorf("once git no longer tracks them: %q, %v", p.Warnings, err)
	}
}

func TestOtherDocumentsAreNamed(t *testing.T) {
	t.Parallel()
	e, root := opened(t, map[string]string{"a.md": "# Guide\n\nHow to start.\n",
		"notes.markdown": "# Notes\n\nThe heronry.\n", "page.rst": "Page\n====\n", "tool.1": ".SH NAME\n",
		"log.go": "package a\n"})
	for query, want := range map[string]string{
		"heronry": "docPatterns (**/*.md, **/*.txt) don't name notes.markdown, page.rst, tool.1: search_code has them.",
		"guide to the heronry of Grimsby by railway and tram": "don't name notes.markdown",
		"start": "",
	} {
		found, err := e.Search(t.Context(), []string{root}, api.Query{Text: query, Corpus: api.CorpusDocs, TopK: 3})
		must(t, err)
		got := strings.Join(found.Notes, " ")
		if want == "" && strings.Contains(got, "docPatterns") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", query, got)
		}
	}
}
