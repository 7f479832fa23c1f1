package grep

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/secret"
)

// tree is a project in memory that redacts like policy.
type tree map[string]string

func (t tree) search(tb testing.TB, q api.GrepQuery) api.GrepResults {
	tb.Helper()
	out, err := Search(tb.Context(), t.request(q))
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func (t tree) request(q api.GrepQuery) Request {
	return Request{
		Query: q, Paths: slices.Sorted(maps.Keys(t)),
		Open: func() (Read, func()) {
			return func(path string, want func([]byte) bool) []byte {
				raw := []byte(t[path])
				if !want(raw) {
					return nil
				}
				r, err := secret.Redact(path, raw)
				if err != nil {
					return nil
				}
				return r.Data
			}, func() {}
		},
		Around: func(_ context.Context, path string, data []byte) (func(int) (string, int, int), error) {
			return func(line int) (string, int, int) { return fmt.Sprint("f", line), line, line + 1 }, nil
		},
	}
}

// found lists hits as "path:line:column text".
func found(r api.GrepResults) string {
	var out []string
	for _, f := range r.Files {
		for _, h := range f.Hits {
			out = append(out, fmt.Sprintf("%s:%d:%d %s", f.Path, h.Line, h.Column, h.Text))
		}
	}
	return strings.Join(out, "\n")
}

func TestSearch(t *testing.T) {
	key := "AKIA" + "Z7Q3NWX2TLPE5RUV"
	files := tree{
		"a.go":         "package a\r\n\r\nfunc Open(path string) error {\r\n\treturn open(path)\r\n}\r\n",
		"a_test.go":    "package a\n\nfunc TestOpen() { Open(\"x\") }\n",
		"vendor/v.go":  "package v\n\nfunc Open() {}\n",
		"README.md":    "# Open\n\nOpen a file.",
		"key.go":       "package a\n\nvar (\n\tbefore = 1\n\tkey = \"" + key + "\" // open\n)\n",
		"latin.txt":    "caf\xe9 open\n",
		"unicode.go":   "// \u212aelvin \u017fession\n",
		"empty.go":     "",
		"unclosed.txt": "a[0] = b.c(d)",
	}
	all := "README.md:1:3 # Open\nREADME.md:3:1 Open a file."
	code := "a.go:3:6 func Open(path string) error {"
	tests := "a_test.go:3:10 func TestOpen() { Open(\"x\") }\nvendor/v.go:3:6 func Open() {}"
	for _, test := range []struct {
		q    api.GrepQuery
		want string
	}{
		{api.GrepQuery{Pattern: "Open"}, code + "\n" + all + "\n" + tests},
		{api.GrepQuery{Pattern: `\bOpen\(path`}, code},
		{api.GrepQuery{Pattern: `^}$`}, "a.go:5:1 }"},
		{api.GrepQuery{Pattern: `error \{$`}, "a.go:3:24 func Open(path string) error {"},
		{api.GrepQuery{Pattern: `a file|error \{`}, "a.go:3:24 func Open(path string) error {\nREADME.md:3:6 Open a file."},
		{api.GrepQuery{Pattern: "RETURN OPEN", IgnoreCase: true}, "a.go:4:2 \treturn open(path)"},
		{api.GrepQuery{Pattern: "(?i)return OPEN"}, "a.go:4:2 \treturn open(path)"},
		{api.GrepQuery{Pattern: "kelvin session", IgnoreCase: true}, "unicode.go:1:4 // \u212aelvin \u017fession"},
		{api.GrepQuery{Pattern: "a[0] = b.c(", Literal: true}, "unclosed.txt:1:1 a[0] = b.c(d)"},
		{api.GrepQuery{Pattern: "café"}, "latin.txt:1:1 café open"},
		{api.GrepQuery{Pattern: `path\s+string`}, "a.go:3:11 func Open(path string) error {"},
		{api.GrepQuery{Pattern: `a\s+func`}, ""},
		{api.GrepQuery{Pattern: "open", Language: "markdown"}, ""},
		{api.GrepQuery{Pattern: "Open", Language: "markdown"}, all},
		{api.GrepQuery{Pattern: "nowhere"}, ""},
		// A pattern never matches the text of a secret.
		{api.GrepQuery{Pattern: `key = ".*"`}, "key.go:5:2 \tkey = \"«[secret: AWS key]»\" // open"},
		{api.GrepQuery{Pattern: "AKIA"}, ""},
		{api.GrepQuery{Pattern: `"(AKIA|BKIA)`}, ""},
		{api.GrepQuery{Pattern: `key = "[A-Z]`}, ""},
		{api.GrepQuery{Pattern: `key = ".{20}"`}, ""},
		{api.GrepQuery{Pattern: "secret: AWS"}, ""},
		{api.GrepQuery{Pattern: "// open"}, "key.go:5:32 \tkey = \"«[secret: AWS key]»\" // open"},
	} {
		if got := found(files.search(t, test.q)); got != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.q, got, test.want)
		}
	}
	r := files.search(t, api.GrepQuery{Pattern: "return", Context: 9})
	h := r.Files[0].Hits[0]
	if h.In != "f4" || h.StartLine != 4 || h.EndLine != 5 || !slices.Equal(h.Before, []string{"package a", "",
		"func Open(path string) error {"}) || !slices.Equal(h.After, []string{"}"}) || r.Searched != len(files) {
		t.Errorf("%+v, %d searched", h, r.Searched)
	}
	if h.Text[h.Marks[0][0]:h.Marks[0][1]] != "return" {
		t.Errorf("marks %v of %q", h.Marks, h.Text)
	}
}

func TestMarksBesideSecrets(t *testing.T) {
	files := tree{"a.go": "var a = \"AKIA" + "Z7Q3NWX2TLPE5RUV\" + tail\n"}
	h := files.search(t, api.GrepQuery{Pattern: "tail"}).Files[0].Hits[0]
	if got := h.Text[h.Marks[0][0]:h.Marks[0][1]]; got != "tail" {
		t.Errorf("marked %q of %q", got, h.Text)
	}
}

func TestInvalidPattern(t *testing.T) {
	for _, test := range []struct{ pattern, message string }{
		{"", "of 1 to 2000 bytes"}, {strings.Repeat("a", api.MaxPattern+1), "1 to"}, {"a\nb", "one line"}, {`\n`, "one line"},
		{`(end|)\n+`, "one line"},
		{"foo(", "missing closing )"}, {"[z-a]", "invalid character class range: z-a"},
		{`a(?=b)`, "invalid or unsupported Perl"},
		{`(a)\1`, `invalid escape sequence: \1`},
	} {
		_, err := Search(t.Context(), tree{"a.go": "a"}.request(api.GrepQuery{Pattern: test.pattern, IgnoreCase: true}))
		if api.CodeOf(err) != api.InvalidArgument || !strings.Contains(api.Known(err, "").UserMessage, test.message) {
			t.Errorf("%.20q: %v", test.pattern, err)
		}
	}
}

// All hits are counted, even if few are listed. Each file gets some hits first.
func TestCounts(t *testing.T) {
	files := tree{}
	for i := range 30 {
		files[fmt.Sprintf("f%02d.go", i)] = strings.Repeat("hit\nmiss\n", 100)
	}
	for _, test := range []struct{ most, listed, first, last int }{
		{50, 50, 5, 0}, {150, 150, 5, 5}, {1000, 1000, 100, 5}, {0, 3000, 100, 100}, {5000, 3000, 100, 100},
	} {
		r := files.search(t, api.GrepQuery{Pattern: "hit", Hits: test.most})
		listed := 0
		for _, f := range r.Files {
			listed += len(f.Hits)
			if f.Total != 100 {
				t.Errorf("%s: %d", f.Path, f.Total)
			}
		}
		if r.Total != 3000 || len(r.Files) != 30 || listed != test.listed || len(r.Files[0].Hits) != test.first ||
			len(r.Files[29].Hits) != test.last {
			t.Errorf("%d: %d in %d files, %d listed, %d and %d", test.most, r.Total, len(r.Files), listed,
				len(r.Files[0].Hits), len(r.Files[29].Hits))
		}
	}
}

func TestLongLinesAreCut(t *testing.T) {
	line := strings.Repeat("é", 5000) + "needle" + strings.Repeat("é", 5000)
	h := tree{"min.js": line}.search(t, api.GrepQuery{Pattern: "needle"}).Files[0].Hits[0]
	if len(h.Text) > maxLine+8 || !strings.HasPrefix(h.Text, "…é") || !strings.HasSuffix(h.Text, "é…") ||
		h.Text[h.Marks[0][0]:h.Marks[0][1]] != "needle" || h.Column != 10001 {
		t.Errorf("%+v", h)
	}
	h = tree{"min.js": "x" + line}.search(t, api.GrepQuery{Pattern: "^x.*$"}).Files[0].Hits[0]
	if len(h.Text) > maxLine+8 {
		t.Errorf("%d bytes", len(h.Text))
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Search(ctx, tree{"a.go": "a"}.request(api.GrepQuery{Pattern: "a"})); err == nil {
		t.Error("a cancelled search answers")
	}
}

// Each matching line contains the literals that the expression requires.
func TestRequiredLiterals(t *testing.T) {
	words := []string{"Open", "k", "Session", "é", "_x", "K", "\u017f", "\u212a", "(", " ", "9"}
	pieces := []string{"Open", "k", "Session", "é", "_x", ".", `\w`, "[a-z]", `\s*`, "9?", "(?i:Kind)", "K", "(?i:s)"}
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	matched := 0
	for range 20000 {
		expr := ""
		for range 1 + rng.IntN(4) {
			switch p := pick(pieces); rng.IntN(5) {
			case 0:
				expr += "(" + p + "|" + pick(pieces) + ")"
			case 1:
				expr += "(?:" + p + pick(pieces) + ")" + pick([]string{"+", "*", "{2}", "?"})
			default:
				expr += p
			}
		}
		if rng.IntN(2) == 0 {
			expr = "(?i)" + expr
		}
		line := ""
		for range 1 + rng.IntN(8) {
			line += pick(words)
		}
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		re, p := regexp.MustCompile(expr), &pattern{required: required(parsed.Simplify())}
		if !re.MatchString(line) {
			continue
		}
		matched++
		if !p.want([]byte(line)) {
			t.Fatalf("%q matches %q, which has none of %+v", expr, line, p.required)
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matches", matched)
	}
	for expr, want := range map[string]string{
		`func \w+OpenFile\(`: "OpenFile(", `(foo|barbaz)\d`: "foo|barbaz", `(?i)Retry+`: "retr", `a|`: "", `x*y?`: "",
	} {
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(required(parsed.Simplify()).any, "|"); got != want {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}
