package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/highlight"
)

func TestSource(t *testing.T) {
	x := Source{Best: 12, Marks: highlight.Question("token"), Lines: []Line{
		{Number: 3, Text: "\tfunc f() {"}, {Number: 4, Text: "\t\tx := 1 \t"},
		{Number: 12, Text: "\t\treturn \x1b]0;token\x07"}}}
	got := Screen{Width: 40}.Source(x)
	want := "     3  func f() {\n     4      x := 1\n…   12      return ·]0;token·\n"
	wantEqual(t, got, want, "result")
	x.List = true
	if got := (Screen{}).Source(x); strings.Contains(got, "…") {
		t.Errorf("a list has gaps:\n%s", got)
	}
}

// TestEscaped checks that JSON at a terminal contains no control characters and that programs read the same values.
func TestEscaped(t *testing.T) {
	in := "a\n\u009b31m \u202e \x7f \U000e0041 \u2028 ü 👍 日本"
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if shown := Escaped(text); bytes.ContainsFunc(shown, display.Hidden) {
		t.Errorf("%q", shown)
	}
	var out string
	if err := json.Unmarshal(Escaped(text), &out); err != nil || out != in {
		t.Errorf("%q, %v", out, err)
	}
	wantEqual(t, Clean("a\u115fb\U000e0101c\u3164d"), "a·b·c·d", "Clean")
	wantEqual(t, Clean("a\u2028b\u2029c\u009bd"), "a·b·c·d", "Clean")
}

func TestCut(t *testing.T) {
	long := strings.Repeat("wide 世界 ", 20)
	for width := 30; width < 120; width++ {
		s := Screen{Width: width}
		out := s.Source(Source{Marks: highlight.Question("needle"), Lines: []Line{
			{Number: 1, Text: long + "needle " + long}, {Number: 2, Text: "short", Note: "in f"},
			{Number: 3, Text: strings.Repeat("y", 40), Note: strings.Repeat("z", 25)}}})
		for line := range strings.Lines(out) {
			if n := Columns(strings.TrimSuffix(line, "\n")); n > width {
				t.Fatalf("%d columns of %d: %q", n, width, line)
			}
		}
		if !strings.Contains(out, "needle") || strings.Count(out, "y") < min(40, width/2-2) {
			t.Fatalf("at %d columns the mark or the code is not seen:\n%s", width, out)
		}
	}
}

func TestRecord(t *testing.T) {
	s := Screen{}
	wantEqual(t, s.Record("a\nb.go", 3, 0, "x\ty\x1b[31m\r\n", highlight.Terms{}), "a b.go:3:x\ty·[31m·\n", "record")
	wantEqual(t, s.Record("a.go", 3, 7, "x", highlight.Terms{}), "a.go:3:7:x\n", "record")
}

func TestTable(t *testing.T) {
	rows := [][]Cell{{{Text: "a"}, {Text: "12", Raw: "12.0", Right: true}, {Text: "/home/ada/code/shop", Path: true}},
		{{Text: "long\tname"}, {Text: "1,234", Raw: "1234", Right: true}, {Text: "/b", Path: true}}}
	heads := []string{"NAME", "N", "FOLDER"}
	wantEqual(t, (Screen{}).Table(heads, rows), "a\t12.0\t/home/ada/code/shop\nlong name\t1234\t/b\n", "not interactive")
	got := Screen{Interactive: true, Width: 30}.Table(heads, rows[:1])
	wantEqual(t, got, "NAME   N  FOLDER\na     12  /home/ada/code/shop\n", "interactive")
	got = Screen{Interactive: true, Width: 24}.Table(heads, rows[:1])
	wantEqual(t, got, "NAME   N  FOLDER\na     12  …ada/code/shop\n", "narrow")
}

func TestPageForPrograms(t *testing.T) {
	var out bytes.Buffer
	text := []byte(strings.Repeat("line\n", 1000))
	if err := (Screen{}).Page(&out, text); err != nil || !bytes.Equal(out.Bytes(), text) {
		t.Error(err, out.Len())
	}
}

func TestWrap(t *testing.T) {
	for _, x := range []struct {
		columns    int
		text, want string
	}{
		{0, "as long as it is", "as long as it is"},
		{10, "one two three four", "one two\nthree four"},
		{10, "  one two three\nfour\n", "  one two\n  three\nfour\n"},
		{10, "anextremelylongword and more", "anextremelylongword\nand more"},
		{10, "\x1b[31mone two\x1b[0m three", "\x1b[31mone two\x1b[0m\nthree"},
		{20, "  -n  number of results of it", "  -n  number of\n      results of it"},
		{10, "世界世界 世界世界", "世界世界\n世界世界"},
	} {
		wantEqual(t, Wrap(x.text, x.columns), x.want, "%q in %d", x.text, x.columns)
	}
}

// TestLinks checks that a path is a link in terminals that are known to support links.
func TestLinks(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{{"VTE_VERSION", "7200", true}, {"TERM_PROGRAM", "WezTerm", true}, {"TERM_PROGRAM", "Apple_Terminal", false},
		{"TERM", "xterm", false}} {
		got := links(func(name string) string {
			if name == test.name {
				return test.value
			}
			return ""
		})
		wantEqual(t, got, test.want, "%s=%s", test.name, test.value)
	}
	host, _ := os.Hostname()
	wantEqual(t, (Style{Links: true}).Link("/a b/c.go", "c.go"),
		"\x1b]8;;file://"+host+"/a%20b/c.go\x1b\\c.go\x1b]8;;\x1b\\", "link")
	wantEqual(t, (Style{}).Link("/a", "a"), "a", "link")
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}
