package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/site/schema"
)

func TestBuildOfAManual(t *testing.T) {
	dir := t.TempDir()
	page := func(title, meta, text string) string {
		return `<title>` + title + `</title><meta name=description content="The manual of everything">` + meta +
			`<main><h1 id=top>` + title + `</h1><p>` + text +
			`</p><h2 id="the-part">The part</h2><p>A quokka lives under this heading.</p></main>`
	}
	for name, text := range map[string]string{
		"a.html":      page("A", "", "This page tells how the first thing is done, step by step."),
		"b.html":      page("B", "", "This page tells how the second thing is done, step by step."),
		"c.html":      page("C", "", "This page tells how the third thing is done, step by step."),
		"old.html":    `<meta http-equiv=refresh content="0; url=a.html"><title>Redirecting</title>`,
		"hidden.html": page("H", `<meta name=robots content=noindex>`, "x"), "draft.md": "---\ndraft: true\n---\n# Draft",
		"vendor/x.html": "<p>x", "Coverage.html": page("D", "", "y"),
	} {
		put(t, filepath.Join(dir, name), text)
	}
	b, err := Build(t.Context(), dir, schema.Site{}, markup.InProcess{}, time.Now())
	must(t, err)
	for _, want := range []string{"old.html was left out: it only leads to another page.",
		"draft.md was left out: it is a draft.",
		"hidden.html was left out: it asks search engines", "vendor was left out: "} {
		if !strings.Contains(strings.Join(b.Skipped, "\n"), want) {
			t.Errorf("%q is not among %q", want, b.Skipped)
		}
	}
	if len(b.Index.Pages) != 4 || b.Index.Site.Domain != schema.NoDomain || !strings.Contains(b.Note, "--domain") {
		t.Errorf("%d pages, %+v, note %q", len(b.Index.Pages), b.Index.Site, b.Note)
	}
	wantEqual(t, b.Index.Pages[1].Abstract, "This page tells how the first thing is done, step by step.", "abstract")
	results, _, err := newSearchable(b.Index).search(t.Context(), "quokkas", 1)
	must(t, err)
	if len(results) != 1 || results[0].Section != "The part" || !strings.HasSuffix(results[0].SectionURL,
		".html#the-part") || !strings.HasPrefix(results[0].URL, "/") {
		t.Errorf("%+v", results)
	}
}

func TestTitlesOmitSiteName(t *testing.T) {
	dir := t.TempDir()
	for name, title := range map[string]string{"index.html": "Introduction - The Manual",
		"a.html": "Reading - and writing - The Manual", "b.html": "Errors - The Manual",
		"c.html": "Limits - The Manual", "d.html": "Limits - and more"} {
		put(t, filepath.Join(dir, name), "<title>"+title+"</title><main><h1>x</h1><p>Text of "+name+"</p></main>")
	}
	b, err := Build(t.Context(), dir, schema.Site{}, markup.InProcess{}, time.Now())
	must(t, err)
	var titles []string
	for _, p := range b.Index.Pages {
		titles = append(titles, p.Title)
	}
	wantEqual(t, b.Index.Site.Name, "The Manual", "%s: name", b.Index.Site.Name)
	wantEqual(t, strings.Join(titles, ", "),
		"Introduction, Reading - and writing, Errors, Limits, Limits - and more", "%s: titles", b.Index.Site.Name)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}
