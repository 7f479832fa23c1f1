package markup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
)

func TestMetadata(t *testing.T) {
	long := strings.Repeat("many words of a long paragraph ", 20)
	tests := []struct {
		name, file, in           string
		title, description, date string
		tags                     []string
	}{
		{"md front matter first", "a/x.md",
			"---\ntitle: From Front\ndescription: Said in front\ntags: [a, b c]\ndate: 2025-01-15\n---\n# H1\n\nPara\n",
			"From Front", "Said in front", "2025-01-15", []string{"a", "b c"}},
		{"md h1 and paragraph", "x.md", "Setup\n\n## Not this\n\n# Setup *Guide*\n\nText `code`\nnext.\n",
			"Setup Guide", "Setup", "", []string{}},
		{"md setext", "x.md", "Title\n=====\n\nBody [link](y).\n", "Title", "Body link.", "", []string{}},
		{"md file name", "guides/getting-started.md", "just text", "getting-started", "just text", "", []string{}},
		{"md only h2", "notes.md", "## Sub\n\ntext", "notes", "text", "", []string{}},
		{"md badges are no description", "x.md", "# T\n\n[![build](a.svg)](b) ![c](d.svg)\n\nReal words.", "T",
			"Real words.", "", []string{}},
		{"md heading in code is no heading", "x.md", "```\n# no\n```\n\n# Yes\n", "Yes", "", "", []string{}},
		{"md broken front matter", "x.md", "---\ntitle: [oops\n---\n# Real\n\nBody\n", "Real", "Body", "", []string{}},
		{"md rule is no front matter", "x.md", "---\n\n# Real\n\nBody\n", "Real", "Body", "", []string{}},
		{"md toml", "x.md", "+++\ntitle = \"Toml\"\ntags = [\"t\"]\n+++\nbody", "Toml", "body", "", []string{"t"}},
		{"md json", "x.md", "{\"title\":\"Json\",\"tags\":[\"j\"]}\n\nbody", "Json", "body", "", []string{"j"}},
		{"md number title", "x.md", "---\ntitle: 2024\ntags: one, two\n---\n", "2024", "", "", []string{"one", "two"}},
		{"md empty title falls through", "x.md", "---\ntitle: \"\"\n---\n# H\n", "H", "", "", []string{}},
		{"md bom and crlf", "x.md", "\ufeff# H\r\n\r\nText\r\n", "H", "Text", "", []string{}},
		{"md empty", "empty.md", "", "empty", "", "", []string{}},
		{"md list is a text block", "x.md", "# T\n\n- first item\n- second\n", "T", "first item", "", []string{}},

		{"html title", "a.html",
			"<html><head><title>The Title</title><meta name=\"description\" content=\"Meta " +
				"says\"></head><body><h1>H</h1><p>P</p></body></html>",
			"The Title", "Meta says", "", []string{}},
		{"html h1", "a.html", "<h1>The <em>H1</em></h1><p>First <b>par</b></p><p>second</p>", "The H1", "First par", "",
			[]string{}},
		{"html file name", "ref.html", "<p>only</p>", "ref", "only", "", []string{}},
		{"html empty title", "a.html", "<title> </title><h1>H</h1>", "H", "", "", []string{}},
		{"html svg title is none", "a.html", "<svg><title>icon</title></svg><h1>H</h1>", "H", "", "", []string{}},
		{"html date and keywords", "a.htm",
			`<meta property="article:published_time" content="2024-05-06T07:08:09Z"><meta name=keywords content="a, b"><h1>x</h1>`,
			"x", "", "2024-05-06", []string{"a", "b"}},

		{"txt", "notes/memo.txt", "Memo title\nline 2\nline 3\nline 4\nline 5\n", "Memo title", "line 2 line 3 line 4",
			"", []string{}},
		{"txt empty first line", "notes/memo.txt", "\nline 2\n", "memo", "line 2", "", []string{}},
		{"txt one line", "memo.txt", "only", "only", "", "", []string{}},
		{"txt empty", "memo.txt", "", "memo", "", "", []string{}},
		{"txt long description", "m.txt", "t\n" + long, "t",
			"many words of a long paragraph many words of a long paragraph many words of a long paragraph many words of a " +
				"long paragraph many words of a long...", "", []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.file, []byte(tt.in))
			got := []any{d.Title, d.Description, d.Date, d.Tags}
			want := []any{tt.title, tt.description, tt.date, tt.tags}
			wantEqual(t, got, want, "result")
			if n := utf8.RuneCountInString(d.Description); n > 150 {
				t.Errorf("description has %d characters", n)
			}
		})
	}
}

func TestContent(t *testing.T) {
	md := "---\ntitle: x\n---\n# A\n\nb\n"
	wantEqual(t, Content("a.md", []byte(md)), md, "Content")
	wantEqual(t, Parse("a.md", []byte(md)).Plain, "A\n\nb", "plain")
	txt := "one\n  two\n\n"
	wantEqual(t, Content("a.txt", []byte(txt)), txt, "text was changed")
	page := `<html><head><title>T</title><style>p{color:red}</style><script>evil()</script></head><body>
<nav><a href="/home">Home</a></nav><main><h1>Setup Guide</h1><h2>Requirements</h2><p>You <b>need</b> <a href="https://go.dev">Go</a>.</p>
<pre><code>go build</code></pre><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<script>more()</script><noscript>no js</noscript></main><footer>imprint</footer></body></html>`
	d, content := Parse("a.html", []byte(page)), Content("a.html", []byte(page))
	for _, want := range []string{"# Setup Guide", "## Requirements", "You **need** [Go](https://go.dev).", "go build",
		"| a", "imprint", "Home"} {
		wantPart(t, content, want, "content")
	}
	for _, bad := range []string{"evil", "more()", "color", "no js"} {
		if strings.Contains(content, bad) || strings.Contains(d.Plain, bad) {
			t.Errorf("%q is in the content", bad)
		}
	}
	if strings.Contains(d.Plain, "imprint") || strings.Contains(d.Plain, "Home") ||
		!strings.Contains(d.Plain, "go build") {
		t.Errorf("plain text:\n%s", d.Plain)
	}
}

func TestEncodings(t *testing.T) {
	wantEqual(t, Parse("a.html", []byte("<meta charset=iso-8859-1><title>caf\xe9</title>")).Title, "café", "title")
	wantEqual(t, Parse("a.txt", []byte("caf\xe9 \x80")).Title, "café €", "title")
	wantEqual(t, Parse("a.md", []byte("\xff\xfe#\x00 \x00\xe9\x00\n\x00")).Title, "é", "title")
	for _, in := range []string{"\ufeff# H\n\nText\n", "# H\r\n\r\nText\r\n"} {
		if d, content := Parse("a.md", []byte(in)), Content("a.md", []byte(in)); content != in ||
			d.Title != "H" {
			t.Errorf("%q is served as %q", in, content)
		}
	}
}

func TestOlderEncodings(t *testing.T) {
	for want, e := range map[string]encoding.Encoding{"注文の合計を計算する": japanese.ShiftJIS,
		"计算订单的总价，返回结果": simplifiedchinese.GBK, "Größe und Überfluß": charmap.ISO8859_1} {
		for name, form := range map[string]string{"a.md": "# %s\n", "a.txt": "%s\n", "a.html": "<title>%s</title><p>%[1]s"} {
			raw, err := e.NewEncoder().String(fmt.Sprintf(form, want))
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, Parse(name, []byte(raw)).Title, want, "title")
			wantPart(t, Content(name, []byte(raw)), want, "Content")
		}
	}
}

func TestLinks(t *testing.T) {
	in := "# T\n\nIntro. For more information on ML algorithms, see [this " +
		"resource](https://example.com/ml-algorithms). More text here.\n\n" +
		"- bare https://go.dev/doc in a list\n- [rel](../other.md \"t\") and [self](#part)\n\n<https://auto.example>\n\n" +
		"```\n[no](https://code.example)\n```\n"
	d := Parse("a.md", []byte(in))
	want := []Link{
		{Plain, "https://example.com/ml-algorithms", "this resource",
			"For more information on ML algorithms, see [this resource](https://example.com/ml-algorithms)."},
		{Plain, "https://go.dev/doc", "https://go.dev/doc", "bare https://go.dev/doc in a list"},
		{Plain, "../other.md", "rel", "[rel](../other.md \"t\") and [self](#part)"},
		{Plain, "https://auto.example", "https://auto.example", "<https://auto.example>"},
	}
	wantEqual(t, d.Links, want, "links")
}

func TestSource(t *testing.T) {
	for in, want := range map[string]string{
		"<!-- saved from url=(0022)https://a.example/x -->\n<p>x":                 "https://a.example/x",
		"<!--\n Page saved with SingleFile \n url: https://b.example/y \n--><p>x": "https://b.example/y",
		`<link rel="canonical" href="https://c.example/z"><p>x`:                   "https://c.example/z",
		`<link rel="canonical" href="javascript:x"><p>x`:                          "",
	} {
		wantEqual(t, Parse("a.html", []byte(in)).Source, want, "%q", in)
	}
	wantEqual(t, Parse("a.md", []byte("---\nsource: https://d.example/\n---\n")).Source,
		"https://d.example/", "front matter")
}

func TestLinksThatRun(t *testing.T) {
	for _, bad := range []string{"javascript:x()", " JavaScript:x()", "java\tscript:x()", "\x01javascript:x()",
		"vbscript:x", "data:text/html,x", "javascript&#58;x()"} {
		page := []byte("<p>See <a href='" + bad + "'>the words</a>.")
		d := Parse("a.html", page)
		got := d.Plain + pageContent(string(page)) + fmt.Sprint(d.Links)
		if !strings.Contains(got, "See the words.") || strings.Contains(got, "x") {
			t.Errorf("%q: %q", bad, got)
		}
	}
	for _, good := range []string{"https://a.example/b:c", "b.html#c:d", "mailto:a@b.example", "a/b:c", "docs://x"} {
		wantEqual(t, pageContent("<a href='"+good+"'>words</a>"), "[words]("+good+")", "%q", good)
	}
}

func TestDeepHTML(t *testing.T) {
	d := Parse("deep.html", []byte(strings.Repeat("<div>", 20000)+"word"))
	wantPart(t, d.Plain, "word", "text lost")
}

func FuzzParse(f *testing.F) {
	f.Add("a.md", []byte("---\ntitle: x\n---\n# A [b](c)\n\n> q\n"))
	f.Add("a.html", []byte("<title>x<p>y<table><tr><td>z<script>"))
	f.Add("a.txt", []byte("\n\n\xff"))
	f.Add("a.md", []byte("{\"a\":"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		d := Parse(name, data)
		if !utf8.ValidString(Content(name, data)) || !utf8.ValidString(d.Plain) || !utf8.ValidString(d.Description) ||
			utf8.RuneCountInString(d.Description) > maxDescription {
			t.Fatalf("invalid: %q", d.Description)
		}
		if d.Tags == nil || slices.Contains(d.Tags, "") {
			t.Fatalf("tags %q", d.Tags)
		}
	})
}

func TestBounds(t *testing.T) {
	var words strings.Builder
	for i := range 2 * maxWords {
		fmt.Fprintf(&words, "w%x ", i)
	}
	long := strings.Repeat("é same words again ", maxPlain/16)
	for name, text := range map[string]string{"words.txt": words.String(), "long.txt": long} {
		d := Parse(name, []byte(text))
		seen := map[string]bool{}
		for word := range strings.FieldsSeq(d.Plain) {
			seen[word] = true
		}
		if !d.Cut || len(d.Plain) > maxPlain || len(seen) > maxWords+2 || len(seen) < 3 || !utf8.ValidString(d.Plain) {
			t.Errorf("%s: cut %v, %d bytes, %d words", name, d.Cut, len(d.Plain), len(seen))
		}
		d = Document{Plain: text, Body: text, Headings: []Heading{{At: 1}, {At: len(text), Source: len(text)}}}
		d.truncate()
		last := d.Headings[1]
		if !d.Cut || len(d.Plain) > maxPlain || last.At > len(d.Plain) || last.Source > len(d.Body) {
			t.Errorf("%s: heading at %d of %d", name, last.At, len(d.Plain))
		}
	}
	if d := Parse("a.txt", []byte("one\ntwo\n")); d.Cut || d.Plain != "one\ntwo\n" || d.Description != "two" {
		t.Errorf("%+v", d)
	}
	wantEqual(t, oneLine(strings.Repeat("x", 1<<20), 20), strings.Repeat("x", 17)+cutMark, "oneLine")
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}

// wantPart reports a text without part. The format names the text.
func wantPart(t testing.TB, text, part, format string, args ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: no %q in %s", fmt.Sprintf(format, args...), part, text)
	}
}
