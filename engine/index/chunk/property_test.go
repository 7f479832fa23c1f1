package chunk

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

func checkCover(t testing.TB, name string, data []byte, chunks []api.Chunk, info Info) {
	t.Helper()
	if err := cover(data, chunks, info); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// maxOutline is the maximum size of an outline with its line breaks.
const maxOutline = outlineHead + outlineComments + outlineSymbols + 2

// cover checks the guarantees for callers: valid text, true line numbers, file order and no missing lines.
func cover(data []byte, chunks []api.Chunk, info Info) error {
	src, _ := newSource(data)
	if n := len(chunks) - 1; n > 0 && chunks[n].EndLine == 0 {
		o := chunks[n]
		if o.StartLine != 0 || o.Ordinal != n || o.ID == "" || !utf8.ValidString(o.Text) || strings.TrimSpace(o.Text) == "" ||
			len(o.Text) > maxOutline {
			return fmt.Errorf("outline of %d bytes, ordinal %d, line %d, id %q", len(o.Text), o.Ordinal, o.StartLine, o.ID)
		}
		chunks = chunks[:n]
	}
	covered := make([]bool, src.lines())
	last := 1
	for i, c := range chunks {
		if c.Ordinal != i || c.ID == "" {
			return fmt.Errorf("chunk %d has ordinal %d, id %q", i, c.Ordinal, c.ID)
		}
		if !utf8.ValidString(c.Text) || strings.ContainsRune(c.Text, 0) || strings.TrimSpace(c.Text) == "" {
			return fmt.Errorf("chunk %d is not text", i)
		}
		if c.StartLine < last || c.EndLine < c.StartLine || c.EndLine > src.lines() {
			return fmt.Errorf("chunk %d has lines %d-%d of %d, the one before begins on %d", i, c.StartLine,
				c.EndLine, src.lines(), last)
		}
		last = c.StartLine
		own, _ := newSource([]byte(c.Text))
		if n := c.EndLine - c.StartLine + 1; own.lines() != n {
			return fmt.Errorf("chunk %d has %d lines and the range %d-%d", i, own.lines(), c.StartLine, c.EndLine)
		}
		for k := range own.lines() {
			there := src.line(c.StartLine - 1 + k)
			here := own.line(k)
			inner := k > 0 && k < own.lines()-1
			if inner && here != there || !strings.Contains(there, here) {
				return fmt.Errorf("chunk %d, line %d is %q, the file has %q", i, c.StartLine+k, here, there)
			}
			covered[c.StartLine-1+k] = true
		}
		if err := names(i, c); err != nil {
			return err
		}
	}
	for l, ok := range covered {
		if !ok && !src.blank(l) && (info.CutFrom == 0 || l+1 < info.CutFrom) {
			return fmt.Errorf("line %d is in no chunk", l+1)
		}
	}
	return nil
}

// names checks that the chunk that defines a symbol contains at least the symbol's last part.
func names(i int, c api.Chunk) error {
	for _, s := range append(append([]string{}, c.Symbols...), c.Breadcrumb...) {
		if strings.TrimSpace(s) == "" || strings.ContainsAny(s, "\r\n") || len(s) > lang.MaxName*utf8.UTFMax {
			return fmt.Errorf("chunk %d has the name %q", i, s)
		}
	}
	for _, s := range c.Symbols {
		if !strings.Contains(c.Text, s) {
			return fmt.Errorf("chunk %d does not contain its symbol %q", i, s)
		}
	}
	return nil
}

// checkSpans checks that ordered spans cover all text except white space, each ending after the previous one.
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
