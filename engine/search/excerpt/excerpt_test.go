package excerpt

import (
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/store/text"
)

// ask makes a query of words that weigh alike.
func ask(words string) *Query {
	var terms []Term
	all := text.Analyse(words)
	for _, w := range all {
		terms = append(terms, Term{Whole: w.Whole, Parts: w.Parts, Weight: 1 / float64(len(all))})
	}
	return NewQuery(terms, false)
}

// shown are the numbers of an excerpt's lines in the file's order.
func shown(e Excerpt) []int {
	var out []int
	for _, l := range e.Lines {
		out = append(out, l.Number)
	}
	slices.Sort(out)
	return out
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

var declared = []string{"Store", "Get", "sweep"}

func TestPick(t *testing.T) {
	src := Source{Text: sessions, First: 1, Language: "go", Symbols: declared}
	for _, c := range []struct {
		ask        string
		room       int
		best       int // the first line picked
		with       []int
		start, end int
	}{
		{"where are expired sessions removed", 200, 22, []int{22, 24, 25}, 22, 29},
		{"Get", 120, 17, []int{16, 17, 18}, 17, 19},
		{"removing an expired session", 120, 22, []int{22, 25}, 22, 29},
		{"Store byID", 100, 12, []int{12, 13}, 12, 14},
		// none of its words: the first declaration with its comment
		{"asynchronous telemetry", 200, 12, []int{11, 12}, 12, 14},
	} {
		e := ask(c.ask).Pick(src, c.room)
		lines := shown(e)
		if e.Lines[0].Number != c.best || e.Start != c.start || e.End != c.end {
			t.Errorf("%q: begins with line %d of %d-%d, want %d of %d-%d", c.ask, e.Lines[0].Number, e.Start, e.End,
				c.best, c.start, c.end)
		}
		for _, want := range c.with {
			if !slices.Contains(lines, want) {
				t.Errorf("%q: lines %v lack %d", c.ask, lines, want)
			}
		}
		for _, n := range lines {
			if n < 11 {
				t.Errorf("%q: shows line %d of licence, package and imports", c.ask, n)
			}
		}
	}
}

// What is asked for is shown even of licence and imports, last.
// TestPickCorrected: the lines that hold the word that was meant are picked, in a name of several parts too.
func TestPickCorrected(t *testing.T) {
	src := Source{Text: sessions, First: 1, Language: "go", Symbols: declared}
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
		var terms []Term
		for _, w := range text.Analyse(c.word) {
			terms = append(terms, Term{Whole: w.Whole, Parts: w.Parts, Also: c.also, Weight: 1})
		}
		if got := NewQuery(terms, false).Pick(src, 120); got.Best != c.best {
			t.Errorf("%s: best line %d, want %d", c.word, got.Best, c.best)
		}
	}
}

// TestBest: the line that says most is the declaration's own, unless another says more.
func TestBest(t *testing.T) {
	src := Source{Text: sessions, First: 1, Language: "go", Symbols: declared}
	for asked, want := range map[string]int{"Store": 12, "sweep": 22, "sweep expired session": 25, "removing": 25} {
		if got := ask(asked).Pick(src, 200); got.Best != want {
			t.Errorf("%s: line %d, want %d", asked, got.Best, want)
		}
	}
}

func TestPickHeader(t *testing.T) {
	head := strings.Join(strings.SplitAfter(sessions, "\n")[:9], "")
	e := ask("apache license").Pick(Source{Text: head, First: 1, Language: "go"}, 400)
	if !e.Header || e.Found < 0.99 || len(e.Lines) == 0 || e.Lines[0].Number != 2 {
		t.Errorf("%+v", e)
	}
	if e := ask("session").Pick(Source{Text: sessions, First: 1, Language: "go", Symbols: declared}, 400); e.Header {
		t.Error("a file of code counts as its header")
	}
}

// A word that a licence has too shows no licence beside a declaration, however much room there is; a question for the
// licence does.
func TestPickHeaderBesideCode(t *testing.T) {
	src := Source{Text: sessions, First: 1, Language: "go", Symbols: declared}
	for _, c := range []struct {
		ask  string
		best int
	}{
		{"asynchronous telemetry collected under heavy load", 12},
		{"which license is it under", 2},
	} {
		e := ask(c.ask).Pick(src, 900)
		if lines := shown(e); e.Best != c.best || slices.Contains(lines, 2) != (c.best == 2) {
			t.Errorf("%s: best %d of %v, want %d", c.ask, e.Best, lines, c.best)
		}
	}
}

// An import in a comment's example tells as little as one of the file's own.
func TestPickExample(t *testing.T) {
	for _, c := range []struct{ language, comment, line string }{
		{"rust", "/// ", "use tokio::net::TcpListener;"}, {"rust", "/// # ", "use tokio::net::{TcpListener, TcpStream};"},
		{"python", "# >>> ", "from tokio.net import TcpListener"}, {"javascript", "// ",
			"const { TcpListener } = require('tokio')"},
		{"typescript", " * ", "import { TcpListener } from 'tokio'"},
	} {
		src := Source{Text: "/**\n" + c.comment + c.line + "\n" + c.comment +
			"accepts what a listener has\n*/\nfn accept() {}\n",
			First: 40, Language: c.language}
		if c.language == "python" {
			src.Text = c.comment + c.line + "\n# accepts what a listener has\ndef accept(): pass\n"
		}
		if e := ask("tokio TcpListener accepts").Pick(src, 60); strings.Contains(e.Lines[0].Text, c.line) {
			t.Errorf("%s: %q leads", c.language, e.Lines[0].Text)
		}
	}
}

// TestPickNothingElse picks of a source that is all header, none of which was asked for.
func TestPickNothingElse(t *testing.T) {
	e := ask("sessions").Pick(Source{Text: "#include <stdio.h>\n\n#include <vector>", First: 45, Language: "cpp"}, 100)
	if !e.Header || !slices.Equal(shown(e), []int{45, 47}) || e.Best != 45 {
		t.Errorf("%+v", e)
	}
}

// What an interface demands of every type, and a line of one word beside the telling one, tell less than what is done.
func TestPickTelling(t *testing.T) {
	src := "impl Service for Adapter {\n    type Error = Infallible;\n\n" +
		"    fn respond(&mut self, e: Failure) -> Response {\n" +
		"        let mut out = Response::empty();\n        return;\n        out.fill(e.into_error());\n    }\n}\n"
	e := ask("turn an error into a response").Pick(Source{Text: src, First: 1, Language: "rust",
		Symbols: []string{"Error", "respond"}}, 90)
	if got := shown(e); e.Lines[0].Number != 4 || !slices.Contains(got, 7) || slices.Contains(got, 6) {
		t.Errorf("lines %v, first %d", got, e.Lines[0].Number)
	}
}

func TestKeywordsAlone(t *testing.T) {
	for line, want := range map[string]bool{"\treturn nil": true, "  } else {": true, "default:": true,
		"  return size;": false, "retry": false, "return größe": false, "\treturn err // of the server": false} {
		if got := keywordsAlone(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestPickNameless: a definition without a name, as a grammar may give it, is none.
func TestPickNameless(t *testing.T) {
	x := ask("token").Pick(Source{Text: "a := 1\nreturn token", First: 5, Language: "go", Symbols: []string{""}}, 100)
	if got := shown(x); !slices.Equal(got, []int{5, 6}) {
		t.Errorf("%v", got)
	}
}

// A function within a function comes with the one around it.
func TestPickNested(t *testing.T) {
	src := "def bypass(url):\n    def proxy_of(key):\n        return environ.get(key)\n    return match(url)\n"
	e := ask("environ key").Pick(Source{Text: src, First: 41, Language: "python", Symbols: []string{"bypass", "proxy_of"}},
		100)
	if got := shown(e); !slices.Contains(got, 41) || !slices.Contains(got, 43) || e.Start != 42 || e.End != 44 {
		t.Errorf("%v %d-%d", got, e.Start, e.End)
	}
}

func TestPickProse(t *testing.T) {
	src := "# Guide\n\nWords.\n\n## Proxies\n\nSet the address of the proxy.\n\n## Limits\n\nNone.\n"
	e := ask("proxy address").Pick(Source{Text: src, First: 1, Language: "markdown"}, 60)
	if got := shown(e); !slices.Contains(got, 7) || e.Lines[0].Number != 5 || e.Start != 5 || e.End != 7 {
		t.Errorf("%v %d-%d", got, e.Start, e.End)
	}
}

// Of a line of 50,000 characters the part around the match is shown.
func TestPickLongLine(t *testing.T) {
	long := strings.Repeat("var a=1;", 3000) + "function needleInHaystack(){}" + strings.Repeat("é;", 9000)
	e := ask("needleInHaystack").Pick(Source{Text: long, First: 1, Language: "javascript"}, 400)
	got := e.Lines[0].Text
	if len(e.Lines) != 1 || !strings.Contains(got, "needleInHaystack") || len(got) > maxLine+6 || !strings.HasPrefix(got,
		"…") || !strings.HasSuffix(got, "…") {
		t.Errorf("%d lines: %q", len(e.Lines), got)
	}
}

func TestDeclares(t *testing.T) {
	for _, c := range []struct{ line, symbol, uses string }{
		{"func (s *Store) Get(id string) *Session {", "Get", "	return s.Get(id)"},
		{"  def close(self):", "close", "    self.close()"},
		{"static int luaB_close (lua_State *L) {", "luaB_close", "  return luaB_close(L);"},
		{"export const retry = (n) => n", "retry", "  await retry(3)"},
		{"pub fn merge(self, other: Router) -> Self {", "merge", "        self.merge(other)"},
		{"class Cursor extends Base {", "Cursor", "  new Cursor(1)"},
		{"#define LUA_MAX 10", "LUA_MAX", "  if (n > LUA_MAX)"},
		{"  private val pool: Pool", "pool", "  return pool.size"},
		{"\tHashReference Kind = 1", "HashReference", "\tcase HashReference:"},
		{"\tHashReference Kind = 1", "HashReference", "\tHashReference.seen = 1"},
		{"  default(value, description) {", "default", "      default:"},
	} {
		if d, u := declares(c.line, c.symbol), declares(c.uses, c.symbol); d <= u {
			t.Errorf("%q counts %d, its use %q %d", c.line, d, c.uses, u)
		}
	}
}

// A line that is not cut into words because no letters of the query are in it must have none of its words.
func TestMayKeepsEveryMatch(t *testing.T) {
	for _, c := range []struct{ words, line string }{
		{"fly", "the flies are here"}, {"dbname", "open(db_name)"}, {"db_name", "open(DBName)"}, {"retry", "func Retries()"},
		{"größe", "Die Größe zählt"}, {"x", "x = 1"}, {"parsing", "a PARSER"}, {"検索", "全文検索"}, {"id", "userID"},
	} {
		if q := ask(c.words); q.in(c.line).any() == 0 {
			t.Errorf("%q not found in %q", c.words, c.line)
		}
	}
}

// BenchmarkPick picks for a chunk of the largest size.
func BenchmarkPick(b *testing.B) {
	src := Source{Text: strings.Repeat(sessions, 8)[:4000], First: 1, Language: "go", Symbols: declared}
	q := ask("where are expired sessions removed from the store")
	b.SetBytes(int64(len(src.Text)))
	for b.Loop() {
		q.Pick(src, 400)
	}
}

// Whatever the text and the question are: every line stands in the source under its number, once, some line is shown,
// the best among them, and the declaration is within the source.
func FuzzPick(f *testing.F) {
	f.Add(sessions, "expired sessions", "sweep", 200)
	f.Add("a\r\nb\rc\n\n\xff\xfe", "b", "", 1)
	f.Add("\"\"\"doc", "doc", "", 50)
	f.Add("import a\n\nfrom b import c\n", "d", "", 90)
	f.Fuzz(func(t *testing.T, src, words, symbol string, room int) {
		var symbols []string
		if symbol != "" {
			symbols = []string{symbol}
		}
		e := ask(words).Pick(Source{Text: src, First: 7, Language: "python", Symbols: symbols}, room)
		lines := slices.Collect(strings.Lines(src))
		seen := map[int]bool{}
		for _, l := range e.Lines {
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
		if strings.TrimSpace(src) != "" && room > 0 && !seen[e.Best-7] {
			t.Fatalf("%d lines shown, the best is %d", len(e.Lines), e.Best)
		}
		if e.Start < 7 || e.End < e.Start || e.End > 7+max(0, len(lines)-1) {
			t.Fatalf("declaration %d-%d of %d lines", e.Start, e.End, len(lines))
		}
	})
}
