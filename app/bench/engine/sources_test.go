package engine

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/archive"
	"searchmcp/engine/sources/docs"
	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/named"
	"searchmcp/engine/sources/site"
	"searchmcp/engine/sources/site/schema"
)

const sourceTexts = 10_000

// words returns a generator of texts with n words, whose frequencies follow Zipf's law.
func words(seed uint64) func(n int) string {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(seed, seed+1)), 1.1, 8, 40_000)
	return func(n int) string {
		var s strings.Builder
		for range n {
			fmt.Fprintf(&s, "w%x ", zipf.Uint64()*2654435761%0xfffff)
		}
		return s.String()
	}
}

// pages writes Markdown files with a title, text and links. It returns their folder and the title of one file.
func pages(b *testing.B, links int) (dir, title string) {
	b.Helper()
	dir, text := b.TempDir(), words(7)
	for i := range sourceTexts {
		var s strings.Builder
		t := text(3)
		if i == 17 {
			title = t
		}
		fmt.Fprintf(&s, "# %s\n\n", t)
		for j := range 10 {
			s.WriteString(text(30))
			if j < links {
				fmt.Fprintf(&s, "see [%s](%05d.md).", text(1), (i*31+j*977+1)%sourceTexts)
			}
			s.WriteString("\n\n")
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.md", i)), []byte(s.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir, title
}

func BenchmarkArchive(b *testing.B) {
	dir, title := pages(b, 10)
	db := filepath.Join(b.TempDir(), "search.db")
	if _, err := archive.Import(b.Context(), db, dir, markup.InProcess{}, func(int, int) {}); err != nil {
		b.Fatal(err)
	}
	var s archive.Searcher
	for _, fuzzy := range []bool{false, true} {
		b.Run(fmt.Sprintf("fuzzy=%v", fuzzy), func(b *testing.B) {
			for b.Loop() {
				r, err := s.Search(b.Context(), db, api.ArchiveQuery{Text: title, Fuzzy: fuzzy, Limit: 10})
				if err != nil || len(r.Results) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDocuments(b *testing.B) {
	dir, title := pages(b, 0)
	p, err := policy.New(dir, api.DefaultConfig())
	if err != nil {
		b.Fatal(err)
	}
	f := docs.Open(p, markup.InProcess{})
	if _, err := f.Scan(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		q := api.DocumentQuery{Text: title, In: docs.InBoth, Limit: 10}
		if m, _, err := f.Search(b.Context(), q, nil); err != nil || len(m) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkSite(b *testing.B) {
	text := words(5)
	x := schema.Index{Version: schema.Version, Generated: "2026-01-01T00:00:00Z", PageCount: sourceTexts,
		Site: &schema.Site{Name: "Bench", Domain: "example.com"}}
	for i := range sourceTexts {
		x.Pages = append(x.Pages, schema.Page{URL: fmt.Sprint("/p", i), Title: text(6), Abstract: text(25),
			Topics: []string{strings.TrimSpace(text(1))}, Body: text(400)})
	}
	data, err := json.Marshal(x)
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "index.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		b.Fatal(err)
	}
	r, err := site.Open(site.Options{Dir: b.TempDir(), Changed: func() {}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := r.AddSite(b.Context(), api.SiteLocation{URL: file}, "")
	if err != nil {
		b.Fatal(err)
	}
	search := func() {
		if p, _, err := r.SearchSite(b.Context(), s.Tool, x.Pages[17].Title, 10); err != nil || len(p) == 0 {
			b.Fatal(err)
		}
	}
	search() // the first search reads and indexes the pages
	for b.Loop() {
		search()
	}
}

func BenchmarkNamed(b *testing.B) {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 8, 4_999)
	r := named.New(256 << 20)
	for i := range sourceTexts {
		var text strings.Builder
		for range 100 {
			fmt.Fprintf(&text, "word%d ", zipf.Uint64())
		}
		if _, _, err := r.NamedAdd("", strconv.Itoa(i), text.String(), nil); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if a, err := r.NamedSearch("", `+word3 word40 word500 -word4000`, 10); err != nil || len(a.Results) == 0 {
			b.Fatal(len(a.Results), err)
		}
	}
}
