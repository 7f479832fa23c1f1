package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

const maxLine = 2000 // in characters; hand-written lines are shorter

const leastShown = 10

func newDeclared(found api.Outline, maxTokens int) *outlineResult {
	r := &outlineResult{Path: found.Path, Total: found.Total, notes: notes{Notes: slices.Clone(found.Notes)}}
	var ends []int // number of lines up to the end of each declaration
	for i, d := range found.Declared {
		place := display.Visible(fmt.Sprintf("%s:%d-%d %s", d.Path, d.StartLine, d.EndLine, cmp.Or(d.Name, d.Signature)))
		if len(found.Declared) > 1 {
			r.Declarations = append(r.Declarations, place)
		}
		if d.Text == "" || len(ends) < i {
			continue
		}
		r.lines = append(r.lines, place+"\n")
		for n, line := range strings.Split(d.Text, "\n") {
			r.lines = append(r.lines, fmt.Sprintf("%*d\t%s\n", len(fmt.Sprint(d.EndLine)), d.StartLine+n, shortLine(line)))
		}
		ends = append(ends, len(r.lines))
	}
	r.Text = strings.Join(r.lines, "")
	if left := found.Total - len(found.Declared); left > 0 {
		r.addNote(fmt.Sprintf("%d more declarations: narrow the search with path, or use Type.method.", left))
	}
	r.size = size{cmp.Or(maxTokens*charsPerToken, api.MaxResult), func() {
		printed, start := 0, 0 // number of complete declarations, and of the lines in them
		for printed < len(ends) && ends[printed] <= len(r.lines) {
			start = ends[printed]
			printed++
		}
		if shown := len(r.lines) - start - 1; printed < len(ends) && (shown >= leastShown || printed == 0) {
			d := found.Declared[printed]
			r.lines = append(r.lines, fmt.Sprintf("[lines %d-%d are omitted: max_tokens]\n", d.StartLine+shown, d.EndLine))
			printed++
		} else {
			r.lines = r.lines[:start]
		}
		r.Text = strings.Join(r.lines, "")
		if printed > 0 && printed < len(found.Declared) {
			r.addNote(fmt.Sprintf("%d of %d declarations are printed. Use line to print another.", printed, found.Total))
		}
	}}
	return r
}

func (r *outlineResult) readable() string {
	if r.Text == "" {
		return ""
	}
	return strings.Join(append([]string{strings.TrimSuffix(r.Text, "\n")}, r.Notes...), "\n")
}

func shortLine(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if len(line) <= maxLine {
		return line
	}
	return display.CutBytes(line, maxLine) + "…"
}
