package archive

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/pdf"
)

type parser func(name string, data []byte) markup.Document

func (p parser) Parse(_ context.Context, name string, data []byte) markup.Document {
	return p(name, data)
}

func (parser) Content(_ context.Context, name string, data []byte) string {
	return markup.Content(name, data)
}

func TestPageIsReadAgain(t *testing.T) {
	dir, db := folder(t, map[string]string{"one.html": "<title>One</title><p>A quoll.",
		"two.html": "<title>Two</title><p>A potoroo."}), filepath.Join(t.TempDir(), "search.db")
	away := parser(func(name string, data []byte) markup.Document {
		d := markup.Parse(name, data)
		d.Again = name == "two.html"
		return d
	})
	if r, err := Import(t.Context(), db, dir, away, nil); err != nil || r.Documents != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r := load(t, db, dir); r.Updated != 1 || r.Documents != 2 || r.Removed != 0 {
		t.Errorf("read again: %+v", r)
	}
	if a := search(t, db, api.ArchiveQuery{Text: "potoroo"}); len(a.Results) != 1 || a.Results[0].Document.Title != "Two" {
		t.Errorf("%+v", a.Results)
	}
	if r := load(t, db, dir); r.Unchanged != 2 || r.Documents != 2 {
		t.Errorf("once more: %+v", r)
	}
}

func TestPapers(t *testing.T) {
	paper, err := os.ReadFile(filepath.Join("testdata", "paper.pdf"))
	must(t, err)
	dir, db := folder(t, map[string]string{"paper.PDF": string(paper), "broken.pdf": "%PDF-1.4 no more",
		"crawl.warc.gz": "x", "page.mhtml": "x"}), filepath.Join(t.TempDir(), "search.db")
	r := load(t, db, dir)
	for _, name := range []string{"crawl.warc.gz", "page.mhtml"} {
		if !slices.ContainsFunc(r.Skipped, func(s string) bool { return strings.HasPrefix(s, name+": files of that kind") }) {
			t.Errorf("%s is not listed: %q", name, r.Skipped)
		}
	}
	if slices.Contains(r.Skipped, "paper.PDF: "+pdf.ErrNotInstalled.Error()) {
		if os.Getenv("CI") != "" {
			t.Fatal(pdf.ErrNotInstalled)
		}
		t.Skip(pdf.ErrNotInstalled)
	}
	if r.Documents != 1 || !slices.Contains(r.Skipped, "broken.pdf: "+pdf.ErrUnreadable.Error()) {
		t.Fatalf("%+v", r)
	}
	a := search(t, db, api.ArchiveQuery{Text: "numbat", IncludeCitations: true, Limit: 5})
	if len(a.Results) != 1 {
		t.Fatalf("%d results", len(a.Results))
	}
	d := a.Results[0].Document
	if d.Title != "A paper about wombats" || d.Date != "2021-03-04" || d.File != filepath.Join(dir, "paper.PDF") {
		t.Errorf("%+v", d)
	}
	var cites []string
	for _, c := range a.Results[0].Citations.Citing {
		cites = append(cites, c.TargetURL)
	}
	if !slices.Equal(cites, []string{"https://burrow.example/page", "https://doi.org/10.1000/numbat1"}) {
		t.Errorf("the paper cites %q", cites)
	}
	if again := load(t, db, dir); again.Unchanged != 1 || again.Added+again.Updated+again.Removed != 0 {
		t.Errorf("again: %+v", again)
	}
}
