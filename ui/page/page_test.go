package page

import (
	"strings"
	"testing"

	"searchmcp/app/highlight"
	"searchmcp/engine/api"
	"searchmcp/ui/widget"
)

func TestWrap(t *testing.T) {
	for in, want := range map[string]string{"": "", "short": "short", "one two three": "one two|three",
		"    in one":                      "    in one",
		"averylongwordthatdoesnotfit and": "averylongwordthatdoesnotfit|and"} {
		if got := strings.Join(wrap(in, 10), "|"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSourceLines(t *testing.T) {
	lines := sourceLines([]api.Line{{Number: 9, Text: "func f() {"}, {Number: 10, Text: "\treturn \"Token\""},
		{Number: 20, Text: "}"}, {Number: 21}}, "a.go", 10, highlight.Question("tokens"))
	if len(lines) != 4 || !lines[1].Best || lines[0].Best || !lines[2].Gap || lines[1].Gap || lines[3].Number != 21 {
		t.Fatalf("%+v", lines)
	}
	line, marked := "", ""
	for _, c := range lines[1].Cells {
		line += string(c.Rune)
		if c.Bg == widget.ColorFound {
			marked += string(c.Rune)
		}
	}
	if line != "    return \"Token\"" || marked != "Token" {
		t.Errorf("%q, marked %q", line, marked)
	}
	if c := lines[0].Cells[0]; c.Fg != widget.ColorKeyword {
		t.Errorf("func is %q", c.Fg)
	}
}
