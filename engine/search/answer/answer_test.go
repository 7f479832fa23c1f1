package answer

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
)

// ask returns a query of words with equal weights.
func ask(words string) *Query {
	var terms []text.Term
	all := text.Analyse(words)
	for _, w := range all {
		terms = append(terms, text.Term{Word: w, Weight: 1 / float64(len(all))})
	}
	return NewQuery(terms, nil)
}

const sessions = `// Copyright 2024 The authors. All rights reserved.
// Licensed under the Apache License, Version 2.0.

package session

import (
	"expired/session"
	"time"
)

// Store keeps sessions.
type Store struct {
	byID map[string]*Session
}

// Get returns a session.
func (s *Store) Get(id string) *Session {
	return s.byID[id]
}

// sweep removes what nobody has used for long.
func (s *Store) sweep(now time.Time) {
	for id, one := range s.byID {
		if one.expired(now) {
			s.log("removing an expired session")
			delete(s.byID, id)
		}
	}
}
`

func session() api.Chunk {
	decl := func(name, kind string, start, line, end int, signature string) api.Decl {
		return api.Decl{Name: name, Kind: kind, Start: start, Line: line, End: end, Signature: signature}
	}
	return api.Chunk{
		Path: "session.go", Language: "go", Text: sessions, StartLine: 1, EndLine: 29,
		Decls: []api.Decl{decl("Store", "struct", 11, 12, 14, "type Store struct"),
			decl("Get", "method", 16, 17, 19, "func (s *Store) Get(id string) *Session"),
			decl("sweep", "method", 21, 22, 29, "func (s *Store) sweep(now time.Time)")},
	}
}

// places scores the units of a chunk by a query, the best first.
func places(q *Query, c api.Chunk) (out []*Snippet) {
	lines := slices.Collect(strings.Lines(c.Text))
	for _, u := range text.Units(c) {
		end := min(u.End-c.StartLine+1, len(lines))
		p := q.Snippet(Passage{Unit: u, Language: c.Language, First: u.Start,
			Lines: lines[u.Start-c.StartLine : end]})
		if p != nil {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *Snippet) int { return cmp.Compare(b.Score(), a.Score()) })
	return out
}

// code returns a chunk of one declaration.
func code(language, text string, decls ...api.Decl) api.Chunk {
	n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return api.Chunk{Path: "a", Language: language, Text: text, StartLine: 1, EndLine: n, Decls: decls}
}

// numbers returns the lines of an excerpt within a budget.
func numbers(x *api.Excerpt, budget int) (out []int) {
	for _, l := range pick(x, budget, maxLines) {
		out = append(out, l.Number)
	}
	return out
}

// The best declaration comes first, with its comment and without its neighbours.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		ask        string
		name       string
		start, end int
		best       int
	}{
		{"where are expired sessions removed", "sweep", 21, 29, 25},
		{"Get", "Get", 16, 19, 17},
		{"byID", "Store", 11, 14, 13},
		{"sweep", "sweep", 21, 29, 22},
		{"apache license", "", 1, 9, 2},
	} {
		list := places(ask(c.ask), session())
		p := list[0]
		if x := p.Excerpt(false); p.Decl.Name != c.name || p.Start != c.start || p.End != c.end || x.Best != c.best {
			t.Errorf("%q: %s %d-%d, best %d, want %s %d-%d, %d", c.ask, p.Decl.Name, p.Start, p.End, x.Best, c.name, c.start,
				c.end, c.best)
		}
	}
}

// The line with the corrected word is the best, also in a name of several parts.
func TestCorrected(t *testing.T) {
	for _, c := range []struct {
		word string
		also map[string][]string
		best int
	}{
		{"sweap", map[string][]string{"sweap": {"sweep"}}, 22},
		{"exipred", map[string][]string{"exipred": {"expired"}}, 24},
		{"expiredNaw", map[string][]string{"expirednaw": nil, "naw": {"now"}}, 24},
		{"expiredNaw", nil, 24}, // by its other part
		{"exipredNaw", map[string][]string{"exipred": {"expired"}, "naw": {"now"}}, 24},
	} {
		var terms []text.Term
		for _, w := range text.Analyse(c.word) {
			terms = append(terms, text.Term{Word: w, Weight: 1})
		}
		if got := places(NewQuery(terms, c.also), session())[0].Excerpt(false); got.Best != c.best {
			t.Errorf("%s: best line %d, want %d", c.word, got.Best, c.best)
		}
	}
}

// The best line is always shown, cut around the match.
func TestDecisiveLine(t *testing.T) {
	long := strings.Repeat("Releases are cut from the main branch after a quiet week. ", 12)
	for _, c := range []struct{ language, text, ask string }{
		{"markdown", "# Contributing\n\nSome words.\n\n" + long +
			"Hotfixes are signed by two maintainers. " + long + "\n\nMore.\n",
			"who signs hotfixes"},
		{"python", "def load(conn):\n    sql = \"" + strings.Repeat("SELECT a, b, c FROM t UNION ", 20) +
			"SELECT dunning_blocked FROM z\"\n    return conn.run(sql)\n", "dunning_blocked"},
		{"javascript", strings.Repeat("var a=1;", 3000) + "function needleInHaystack(){}" + strings.Repeat("é;", 9000),
			"needleInHaystack"},
	} {
		list := places(ask(c.ask), code(c.language, c.text))
		x := list[0].Excerpt(false)
		for _, budget := range []int{0, 40, 200} {
			lines := pick(x, budget, maxLines)
			i := slices.IndexFunc(lines, func(l api.Line) bool { return l.Number == x.Best })
			if i < 0 || !ask(c.ask).in(lines[i].Text).any() || len(lines[i].Text) > maxSentence+10 {
				t.Errorf("%s in %d bytes: line %d of %+v", c.ask, budget, x.Best, lines)
			}
		}
	}
}

// A place's line begins with its name.
func TestLongSignature(t *testing.T) {
	d := api.Decl{Name: "connect", Kind: "function", Start: 1, Line: 1, End: 1,
		Signature: "def connect(" + strings.Repeat("other=None, ", 20) + "certificate=None)"}
	p := places(ask("certificate"), code("python", d.Signature+": pass", d))[0]
	if got := p.Line(); !strings.HasPrefix(got, "def connect(") || len(got) > maxSignature+len("…") {
		t.Errorf("%q", got)
	}
}

// The best sentence of a document is shown with its paragraph.
func TestParagraph(t *testing.T) {
	text := "## Limits\n\nOther words about it all.\n\nA proxy has one address.\nIt is set by PROXY.\n\nNone.\n"
	d := api.Decl{Name: "Limits", Kind: "section", Start: 1, Line: 1, End: 8, Signature: "## Limits"}
	p := places(ask("proxy address"), code("markdown", text, d))[0]
	if got := numbers(p.Excerpt(false), 70); !slices.Equal(got, []int{1, 5, 6}) {
		t.Errorf("lines %v", got)
	}
}

// The first two results of code are whole and the others take one line with a mark. An unreliable answer has no bodies.
func TestShape(t *testing.T) {
	made := func(score float64) *api.Results {
		var r api.Results
		for _, p := range places(ask("expired session store"), session()) {
			if p.Decl.Line == 0 {
				continue
			}
			r.Hits = append(r.Hits, api.Hit{Path: "session.go", Score: score, Excerpt: p.Excerpt(false)})
		}
		r.More = []api.Summary{{Score: score, Signature: "func a()"}, {Score: 0.01, Signature: "func b()"}}
		r.Total = len(r.Hits)
		return &r
	}
	r := made(0.9)
	Shape(r, api.Query{TopK: 10, Corpus: api.CorpusCode})
	if h := r.Hits[0]; h.StartLine != 21 || h.EndLine != 29 ||
		h.Text != strings.Join(strings.Split(sessions, "\n")[20:29], "\n") {
		t.Errorf("the first is %d-%d %q", h.StartLine, h.EndLine, h.Text)
	}
	if h := r.Hits[2]; strings.Contains(h.Text, "\n") || !strings.HasPrefix(h.Text, "func") ||
		!strings.HasSuffix(h.Text, "…") {
		t.Errorf("the last is %q", h.Text)
	}
	if len(r.More) != 1 || r.More[0].Signature != "func a()" {
		t.Errorf("more: %+v", r.More)
	}
	for _, q := range []api.Query{{TopK: 10, Offset: 1}, {TopK: 10, Detail: api.DetailFull}, {TopK: 10, MaxTokens: 900},
		{TopK: 11}} {
		r.More = []api.Summary{{Score: 1, Signature: "func a()"}}
		if Shape(r, q); r.More != nil {
			t.Errorf("%+v: %+v", q, r.More)
		}
	}
	r = made(0.9)
	Shape(r, api.Query{TopK: 10, Detail: api.DetailFull})
	for i, h := range r.Hits {
		if strings.Count(h.Text, "\n") != h.EndLine-h.StartLine {
			t.Errorf("full, %d: %q", i, h.Text)
		}
	}
	r = made(0.9)
	r.Hits, r.Total = append(r.Hits, r.Hits[0]), r.Total+1
	if Shape(r, api.Query{TopK: 10, Detail: api.DetailShort}); len(r.Hits) != 3 || r.Total != 3 {
		t.Errorf("the same line twice: %+v", r.Hits)
	}
	r = made(Unreliable - 0.1)
	Shape(r, api.Query{TopK: 10, Corpus: api.CorpusCode})
	for _, h := range r.Hits {
		if strings.Contains(h.Text, "\n") || !h.Weak {
			t.Errorf("unsure: %q", h.Text)
		}
	}
}

// A long declaration is cut to its signature and the lines around the best line.
func TestWindow(t *testing.T) {
	body := "func long() {\n" + strings.Repeat("\tstep()\n", 100) + "\tif needle {\n" +
		strings.Repeat("\tstep()\n", 100) + "}\n"
	c := code("go", body, api.Decl{Name: "long", Kind: "function", Start: 1, Line: 1, End: 203, Signature: "func long()"})
	w := pick(places(ask("needle"), c)[0].Excerpt(false), wholeSize, maxLines)
	if len(w) != maxLines || w[0].Number != 1 ||
		!slices.ContainsFunc(w, func(l api.Line) bool { return l.Number == 102 }) {
		t.Errorf("%d lines, the first is %d, the second %d", len(w), w[0].Number, w[1].Number)
	}
	if got := gapped([]api.Line{{Number: 10, Text: "type T struct"}, {Number: 142, Text: "A"}}, 87, 142); got !=
		"…10\ntype T struct\n…142\nA" {
		t.Errorf("%q", got)
	}
}

// For any source, declaration and question, each displayed line is in the source under its number, once, and the best
// line is displayed.
func FuzzPlaces(f *testing.F) {
	f.Add(sessions, "expired sessions", 3, 9, 200)
	f.Add("a\r\nb\rc\n\n\xff\xfe", "b", 1, 1, 1)
	f.Add("\"\"\"doc", "doc", 1, 400, 50)
	f.Add("import a\n\nfrom b import c\n", "d", 0, 0, 90)
	f.Fuzz(func(t *testing.T, src, words string, start, end, budget int) {
		lines := slices.Collect(strings.Lines(src))
		if src == "" || start < 0 || end < start || end > 1<<20 {
			return
		}
		c := api.Chunk{Text: src, StartLine: 7, EndLine: 6 + len(lines), Language: "python"}
		if start > 0 {
			end = min(end, c.EndLine)
			start = min(max(start, c.StartLine), end)
			c.Decls = []api.Decl{{Name: "d", Start: start, Line: start, End: end, Signature: "def d()"}}
		}
		for _, p := range places(ask(words), c) {
			x := p.Excerpt(false)
			seen := map[int]bool{}
			for _, l := range pick(x, budget, maxLines) {
				i := l.Number - 7
				if i < 0 || i >= len(lines) || seen[i] {
					t.Fatalf("line %d of %d, or twice", l.Number, len(lines))
				}
				seen[i] = true
				if part := strings.Trim(l.Text, "…"); !strings.Contains(strings.ToValidUTF8(lines[i], ""),
					strings.ToValidUTF8(part, "")) {
					t.Fatalf("line %d is %q, shown %q", l.Number, lines[i], l.Text)
				}
			}
			if !seen[x.Best-7] {
				t.Fatalf("%d lines shown, the best is %d", len(seen), x.Best)
			}
			if p.End < p.Start || x.Best < p.Start || x.Best > p.End {
				t.Fatalf("%d-%d, the best line is %d", p.Start, p.End, x.Best)
			}
		}
	})
}
