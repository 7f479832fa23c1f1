package tools

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func function(name string, first, lines int) api.Declared {
	text := make([]string, lines)
	for i := range text {
		text[i] = "\tcall(\"" + name + "\")"
	}
	return api.Declared{Name: name, Path: "a.go", Signature: "func " + name + "()", StartLine: first,
		EndLine: first + lines - 1, Text: strings.Join(text, "\n")}
}

func TestDeclarationsAreNumbered(t *testing.T) {
	r := newDeclared(api.Outline{Path: "a.go", Total: 2, Declared: []api.Declared{function("one", 9, 2),
		function("two", 20, 1)}}, 0)
	if _, err := fit(r); err != nil {
		t.Fatal(err)
	}
	want := "a.go:9-10 one\n 9\t\tcall(\"one\")\n10\t\tcall(\"one\")\na.go:20-20 two\n20\t\tcall(\"two\")\n"
	if r.Text != want || len(r.Declarations) != 2 || len(r.Notes) != 0 {
		t.Errorf("%q, %q, %q", r.Text, r.Declarations, r.Notes)
	}
	if r.readable() != strings.TrimSuffix(want, "\n") {
		t.Errorf("as text: %q", r.readable())
	}
}

// TestDeclarationsFit checks that every declaration is listed, and that one without text has its lines.
func TestDeclarationsFit(t *testing.T) {
	for _, tokens := range []int{100, 1000, 0} {
		var all []api.Declared
		for i := range 20 {
			all = append(all, function(fmt.Sprint("f", i), 1+3000*i, 3000))
		}
		r := newDeclared(api.Outline{Total: 25, Declared: all}, tokens)
		text, err := fit(r)
		if limit := max(tokens*charsPerToken, 1000); err != nil || tokens == 0 && utf8.RuneCount(text) > api.MaxResult ||
			tokens > 0 && utf8.RuneCount(text) > 2*limit {
			t.Errorf("%d tokens: %d characters, %v", tokens, utf8.RuneCount(text), err)
		}
		if len(r.Declarations) != 20 || !strings.Contains(r.Text, "-3000 are omitted") ||
			!strings.Contains(strings.Join(r.Notes, ""), "5 more declarations") {
			t.Errorf("%d tokens: %d declarations, %q, notes %q", tokens, len(r.Declarations), r.Text[max(0,
				len(r.Text)-99):], r.Notes)
		}
	}
	long := function("long", 1, 1)
	long.Text = strings.Repeat("é", maxLine)
	if r := newDeclared(api.Outline{Total: 1, Declared: []api.Declared{long}}, 0); len(r.Text) > maxLine+50 ||
		!strings.HasSuffix(r.Text, "é…\n") {
		t.Errorf("%d bytes", len(r.Text))
	}
}
