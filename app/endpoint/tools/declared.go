package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

const maxLine = 2000 // in characters; hand-written lines are shorter

const leastShown = 10

// newDeclared returns the declarations in found and as much of their source as fits.
func newDeclared(found api.Outline, maxTokens int) (*outlineResult, error) {
	r := &outlineResult{Path: found.Path, Total: found.Total, notes: notes{Notes: slices.Clone(found.Notes)}}
	places := make([]string, len(found.Declared))
	for i, d := range found.Declared {
		places[i] = display.Visible(fmt.Sprintf("%s:%d-%d %s", d.Path, d.StartLine, d.EndLine, cmp.Or(d.Name, d.Signature)))
	}
	if len(places) > 1 {
		r.Declarations = places
	}
	if left := found.Total - len(places); left > 0 {
		r.addNote(fmt.Sprintf("%d more declarations: narrow the search with path, or use Type.method.", left))
	}
	// In JSON, tabs, quotes and line breaks take two characters.
	limit := min(api.MaxResult, cmp.Or(maxTokens*charsPerToken, api.MaxResult)) - noteSpace
	used, err := encode(r)
	if err != nil {
		return nil, err
	}
	room := limit - utf8.RuneCount(used)
	var b strings.Builder
	whole := 0
	for i, d := range found.Declared {
		lines := strings.Split(d.Text, "\n")
		if d.Text == "" {
			break
		}
		text := places[i] + "\n"
		room -= jsonSize(text)
		shown := 0
		for n, line := range lines {
			numbered := fmt.Sprintf("%*d\t%s\n", len(fmt.Sprint(d.EndLine)), d.StartLine+n, display.Visible(shortLine(line)))
			if room -= jsonSize(numbered); room < 0 {
				break
			}
			text += numbered
			shown++
		}
		if shown < len(lines) && shown < leastShown && i > 0 {
			break
		}
		b.WriteString(text)
		if shown < len(lines) {
			fmt.Fprintf(&b, "[lines %d-%d are omitted: max_tokens]\n", d.StartLine+shown, d.EndLine)
			whole++
			break
		}
		whole++
	}
	r.Text = b.String()
	if left := len(places) - whole; left > 0 && whole > 0 {
		r.addNote(fmt.Sprintf("%d of %d declarations are printed. Use line to print another.", whole, found.Total))
	}
	return r, nil
}

func (r *outlineResult) readable() string {
	if r.Text == "" {
		return ""
	}
	return strings.Join(append([]string{strings.TrimSuffix(r.Text, "\n")}, r.Notes...), "\n")
}

func jsonSize(s string) int {
	return utf8.RuneCountInString(s) + strings.Count(s, "\t") + strings.Count(s, "\n") + strings.Count(s, `"`) +
		strings.Count(s, `\`)
}

func shortLine(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if len(line) <= maxLine {
		return line
	}
	return display.CutBytes(line, maxLine) + "…"
}
