package chunk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// checkCover asserts what every caller relies on: valid text, true line numbers, file order, no line lost.
func checkCover(t testing.TB, name string, data []byte, chunks []api.Chunk, info Info) {
	t.Helper()
	src, _ := newSource(data)
	covered := make([]bool, src.lines())
	last := 1
	for i, c := range chunks {
		if c.Ordinal != i || c.ID == "" {
			t.Fatalf("%s: chunk %d has ordinal %d, id %q", name, i, c.Ordinal, c.ID)
		}
		if !utf8.ValidString(c.Text) || strings.ContainsRune(c.Text, 0) || strings.TrimSpace(c.Text) == "" {
			t.Fatalf("%s: chunk %d is not text", name, i)
		}
		if c.StartLine < last || c.EndLine < c.StartLine || c.EndLine > src.lines() {
			t.Fatalf("%s: chunk %d has lines %d-%d of %d, the one before begins on %d", name, i, c.StartLine, c.EndLine, src.lines(), last)
		}
		last = c.StartLine
		own, _ := newSource([]byte(c.Text))
		if n := c.EndLine - c.StartLine + 1; own.lines() != n {
			t.Fatalf("%s: chunk %d has %d lines and says %d-%d", name, i, own.lines(), c.StartLine, c.EndLine)
		}
		for k := range own.lines() {
			there := src.line(c.StartLine - 1 + k)
			here := own.line(k)
			inner := k > 0 && k < own.lines()-1
			if inner && here != there || !strings.Contains(there, here) {
				t.Fatalf("%s: chunk %d, line %d is %q, the file has %q", name, i, c.StartLine+k, here, there)
			}
			covered[c.StartLine-1+k] = true
		}
		checkNames(t, name, i, c)
	}
	for l, ok := range covered {
		if !ok && !src.blank(l) && (info.CutFrom == 0 || l+1 < info.CutFrom) {
			t.Fatalf("%s: line %d is in no chunk", name, l+1)
		}
	}
}

// checkNames: a symbol stands in the text of the chunk that defines it, at least by its last part.
func checkNames(t testing.TB, name string, i int, c api.Chunk) {
	t.Helper()
	for _, s := range append(append([]string{}, c.Symbols...), c.Breadcrumb...) {
		if strings.TrimSpace(s) == "" || strings.ContainsAny(s, "\r\n") || len(s) > maxName*utf8.UTFMax {
			t.Fatalf("%s: chunk %d has the name %q", name, i, s)
		}
	}
	for _, s := range c.Symbols {
		if !strings.Contains(c.Text, s) {
			t.Fatalf("%s: chunk %d does not hold its symbol %q", name, i, s)
		}
	}
}

// checkSpans asserts that spans cover all that is not white space, in order, each one further than the last.
func checkSpans(t testing.TB, src *source, spans []span) {
	t.Helper()
	at, before := 0, -1
	for _, sp := range spans {
		if sp.start <= before || sp.start > at && !src.empty(span{at, sp.start}) || sp.end <= at {
			t.Fatalf("span %v after %d, begun at %d", sp, at, before)
		}
		before, at = sp.start, sp.end
	}
	if !src.empty(span{at, len(src.text)}) {
		t.Fatalf("text behind %d is in no span", at)
	}
}
