package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/markup"
)

func TestFormsOfCitation(t *testing.T) {
	files := map[string]string{
		"note.md":       "# Note\n\nAs [@smith2020] shows (doi:10.1000/xyz123), see [[Other Page]] and @nobody.\n",
		"other_page.md": "# Other page\n\nquokka\n",
		"refs.bib":      "@article{smith2020,\n  title = {On {Things}},\n  doi = {10.5555/abc},\n}\n",
		"paper.md":      "---\nsource: https://doi.org/10.5555/abc\n---\n# The paper\n\ntext\n",
		"page.html": `<!-- saved from url=(0026)https://saved.example/page -->
			<title>Saved page</title><nav><a href="https://saved.example/home">home</a></nav><main><p>A wombat, <a
			href="https://saved.example/burrow">at home</a>.</main>`,
		"full.html": "<p>frame page</p>", "full_files/frame.html": "<p>an advertisement</p>", "scan.docx": "x",
		"build/x.md": "# X",
	}
	dir, db := folder(t, files), filepath.Join(t.TempDir(), "search.db")
	r := load(t, db, dir)
	skipped := strings.Join(r.Skipped, "\n")
	for _, want := range []string{"full_files: it contains the parts of a saved page",
		"scan.docx: files of that kind are not read", "build: "} {
		if !strings.Contains(skipped, want) {
			t.Errorf("%q is not among %q", want, skipped)
		}
	}
	if strings.Contains(skipped, "deny_list") || strings.Contains(skipped, "binary") {
		t.Errorf("a code instead of a sentence: %s", skipped)
	}
	citing := func(query string) []string {
		t.Helper()
		a := search(t, db, api.ArchiveQuery{Text: query, IncludeCitations: true, Limit: 1})
		if len(a.Results) != 1 {
			t.Fatalf("%s: %d results", query, len(a.Results))
		}
		var out []string
		for _, c := range a.Results[0].Citations.Citing {
			out = append(out, strings.TrimSpace(c.TargetURL+" "+c.TargetTitle))
		}
		slices.Sort(out)
		return out
	}
	if got := citing(`"as smith2020 shows"`); !slices.Equal(got, []string{
		"[[Other Page]] Other page", "https://doi.org/10.1000/xyz123", "https://doi.org/10.5555/abc The paper",
	}) {
		t.Errorf("%q", got)
	}
	if got := citing("wombat"); !slices.Equal(got, []string{"https://saved.example/burrow"}) {
		t.Errorf("the saved page cites %q", got)
	}
	d := search(t, db, api.ArchiveQuery{Text: "wombat"}).Results[0].Document
	wantEqual(t, d.URL, "https://saved.example/page", "url")
	wantEqual(t, d.Title, "Saved page", "title")
	if _, err := os.Stat(d.File); err != nil {
		t.Errorf("the file of a result can't be opened: %v", err)
	}
}

func TestFilters(t *testing.T) {
	dir, db := folder(t, map[string]string{
		"a.md":     "---\ndate: 2024-05-01\n---\n# A\n\nred green blue\n",
		"b.md":     "---\ndate: 2025-02-03\nsource: https://b.example/\n---\n# B\n\ngreen red\n",
		"sub/c.md": "---\ndate: 2025-12-31\n---\n# C\n\nred\n",
	}), filepath.Join(t.TempDir(), "search.db")
	load(t, db, dir)
	for query, want := range map[string]string{
		"red": "A B C", `"red green"`: "A", "red after:2025-01-01": "B C", "red before:2025": "A B C", "red before:2024": "A",
		"red date:2025-02": "B",
		"red source:url":   "B", "red source:research": "A C", "in:sub red": "C", "after:2025-02-03": "B C",
		"red source:unknown": "A B C",
	} {
		var got []string
		for _, r := range search(t, db, api.ArchiveQuery{Text: query}).Results {
			got = append(got, r.Document.Title)
		}
		slices.Sort(got)
		wantEqual(t, strings.Join(got, " "), want, "%s: %v", query, got)
	}
}

func TestOrder(t *testing.T) {
	dir, db := folder(t, map[string]string{
		"changes.md": "# Changes\n\n" +
			strings.Repeat("Many things of every kind were changed in this release by many people.\n\n", 200) +
			"A lock.\n\nWhy not.\n\nWe commit.\n\nThe file.\n",
		"lock.md":  "# The lock file\n\nThe lock file is committed, so that all have the same versions.\n",
		"other.md": "# Other\n\nwords\n",
	}), filepath.Join(t.TempDir(), "s.db")
	load(t, db, dir)
	for _, fuzzy := range []bool{true, false} {
		a := search(t, db, api.ArchiveQuery{Text: "why commit the lock file", Fuzzy: fuzzy})
		if len(a.Results) != 2 || a.Results[0].Document.Title != "The lock file" || a.Results[0].Document.Score > 1 ||
			a.Results[1].Document.Score > a.Results[0].Document.Score {
			t.Errorf("fuzzy %v: %+v", fuzzy, a.Results)
		}
	}
}

func TestFoldersWithinEachOther(t *testing.T) {
	dir, db := folder(t, map[string]string{"docs/a.md": "# A\n\nwords [b](b.md)\n", "docs/b.md": "# B\n\nwords\n",
		"c.md": "# C\n\nwords\n"}), filepath.Join(t.TempDir(), "s.db")
	load(t, db, filepath.Join(dir, "docs"))
	if r := load(t, db, dir); r.Documents != 3 || r.Resolved != 1 {
		t.Errorf("%+v", r)
	}
	wantEqual(t, len(search(t, db, api.ArchiveQuery{Text: "words"}).Results), 3, "results")
	if _, err := Import(t.Context(), db, filepath.Join(dir, "docs"), markup.InProcess{},
		nil); api.CodeOf(err) != api.InvalidArgument {
		t.Errorf("%v", err)
	}
}

func TestCancelKeepsImportedDocuments(t *testing.T) {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("%02d.md", i)] = "# T\n\nwords\n"
	}
	dir, db := folder(t, files), filepath.Join(t.TempDir(), "s.db")
	ctx, cancel := context.WithCancel(t.Context())
	reported := 0
	parsed := 0
	_, err := Import(ctx, db, dir, parser(func(name string, data []byte) markup.Document {
		if parsed++; parsed == 3 {
			cancel()
		}
		return markup.Parse(name, data)
	}), func(done, _ int) { reported = done })
	if info, derr := Describe(t.Context(), db); !errors.Is(err, context.Canceled) || derr != nil || reported != 2 ||
		info.Documents != reported {
		t.Errorf("%v, %v: %d files reported, %+v", err, derr, reported, info)
	}
	if r := load(t, db, dir); r.Unchanged != reported || r.Added != len(files)-reported || r.Documents != len(files) {
		t.Errorf("the next import: %+v", r)
	}
}

func TestWriteAheadLogIsTakenBack(t *testing.T) {
	dir, db := folder(t, map[string]string{"a.md": "# A\n\nwords\n"}), filepath.Join(t.TempDir(), "s.db")
	load(t, db, dir)
	other, err := sql.Open("sqlite", db)
	must(t, err)
	if _, err := other.Exec("PRAGMA journal_mode=wal"); err != nil {
		t.Fatal(err)
	}
	other.Close()
	var s Searcher
	if _, err := s.Search(t.Context(), db, api.ArchiveQuery{Text: "words", Limit: 1}); !errors.Is(err, ErrWAL) {
		t.Errorf("%v", err)
	}
	load(t, db, dir)
	wantEqual(t, len(search(t, db, api.ArchiveQuery{Text: "words"}).Results), 1, "not searched after an import")
}

func TestPages(t *testing.T) {
	files := map[string]string{}
	for i := range 130 {
		files[fmt.Sprintf("%03d.md", i)] = fmt.Sprintf("# Page %d\n\nThe quokka %s rests.\n", i,
			strings.Repeat("very much ", i%7))
	}
	dir, db := folder(t, files), filepath.Join(t.TempDir(), "s.db")
	load(t, db, dir)
	for _, limit := range []int{10, 47, 50} {
		for _, text := range []string{"quokka rests", "in:research-archive"} {
			seen, last := map[string]bool{}, 1.0
			for offset, pages := 0, 0; ; pages++ {
				a := search(t, db, api.ArchiveQuery{Text: text, Fuzzy: true, Limit: limit, Offset: offset})
				for _, r := range a.Results {
					if seen[r.Document.ID] || r.Document.Score > last {
						t.Fatalf("%s by %d, from %d: %s again or out of order", text, limit, offset, r.Document.Path)
					}
					seen[r.Document.ID], last = true, r.Document.Score
				}
				if a.Metadata.NextOffset == 0 {
					break
				}
				if len(a.Results) != limit || a.Metadata.NextOffset != offset+limit || a.Metadata.Offset != offset || pages > 20 {
					t.Fatalf("%s by %d, from %d: %d results, %+v", text, limit, offset, len(a.Results), a.Metadata)
				}
				offset = a.Metadata.NextOffset
			}
			wantEqual(t, len(seen), 130, "%s by %d: %d documents", text, limit, len(seen))
		}
	}
}

func TestCitationsBeyondAreCounted(t *testing.T) {
	var links strings.Builder
	for i := range maxCitations + 100 {
		fmt.Fprintf(&links, "* <https://example.com/%d>\n", i)
	}
	dir, db := folder(t, map[string]string{"links.md": "# Wombat links\n\n" + links.String(),
		"a.md": "# A\n\n[w](links.md)\n"}), filepath.Join(t.TempDir(), "s.db")
	load(t, db, dir)
	for depth := 1; depth <= api.MaxCitationDepth; depth++ {
		a := search(t, db, api.ArchiveQuery{Text: "wombat", IncludeCitations: true, CitationDepth: depth})
		if c := a.Results[0].Citations; len(c.Citing) != maxCitations || c.Omitted != 100 || len(c.Cited) != 1 {
			t.Errorf("depth %d: %d citing, %d cited, %d omitted", depth, len(c.Citing), len(c.Cited), c.Omitted)
		}
	}
}
