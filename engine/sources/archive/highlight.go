package archive

import (
	"strings"
	"unicode/utf8"

	"searchmcp/engine/sources/fulltext"
)

const (
	maxSnippets  = 3
	snippetBytes = 160     // about two lines
	maxScanned   = 1 << 18 // bytes of a document that are searched for matches
	firstScanned = 1 << 13 // bytes of the first attempt
)

// highlights shows the matches in a document. It omits fields without matches.
func highlights(d document, marked *fulltext.Set) []Highlight {
	out := []Highlight{}
	if spots := found(d.title, marked); len(spots) > 0 {
		out = append(out, Highlight{Field: "title", Snippets: []string{mark(d.title, spots, 0, len(d.title))}})
	}
	content := d.content
	if len(content) > maxScanned {
		content = content[:maxScanned]
	}
	// Matches are usually near the beginning. Read on only if there are none.
	for look := firstScanned; ; look *= 8 {
		look = min(look, len(content))
		h, end := snippets(content, found(content[:look], marked))
		if look == len(content) || len(h.Snippets) == maxSnippets && end < look-snippetBytes {
			if len(h.Snippets) > 0 {
				out = append(out, h)
			}
			return out
		}
	}
}

// snippets returns the first matches, and the end of the last one.
func snippets(content string, spots []spot) (h Highlight, end int) {
	h.Field = "content"
	for i := 0; i < len(spots) && len(h.Snippets) < maxSnippets; {
		from, to := around(content, spots[i])
		j := i
		for j < len(spots) && spots[j].to <= to {
			j++
		}
		h.Snippets = append(h.Snippets, mark(content, spots[i:j], from, to))
		i, end = max(j, i+1), to
	}
	return h, end
}

type spot struct{ from, to int }

// found returns the marked words. It merges words that are separated only by a space.
func found(text string, marked *fulltext.Set) []spot {
	var spots []spot
	for _, w := range marked.In(text) {
		if n := len(spots) - 1; n >= 0 {
			if gap := text[spots[n].to:max(spots[n].to, w.Start)]; strings.TrimSpace(gap) == "" &&
				!strings.Contains(gap, "\n\n") {
				spots[n].to = w.End
				continue
			}
		}
		spots = append(spots, spot{w.Start, w.End})
	}
	return spots
}

// around returns the range around a match, within its paragraph, cut at spaces.
func around(text string, s spot) (from, to int) {
	const before = snippetBytes / 3
	from = 0
	if i := strings.LastIndex(text[:s.from], "\n\n"); i >= 0 {
		from = i + 2
	}
	if s.from-from > before {
		from = s.from - before
		if i := strings.IndexAny(text[from:s.from], " \n\t"); i >= 0 {
			from += i + 1
		}
		for !utf8.RuneStart(text[from]) {
			from++
		}
	}
	to = len(text)
	if i := strings.Index(text[s.to:], "\n\n"); i >= 0 {
		to = s.to + i
	}
	if limit := max(s.to, from+snippetBytes); to > limit {
		to = limit
		if i := strings.LastIndexAny(text[s.to:to], " \n\t"); i >= 0 {
			to = s.to + i
		}
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to--
		}
	}
	return from, to
}

// mark returns text[from:to] on one line with the spots marked. Three dots mark a cut sentence.
func mark(text string, spots []spot, from, to int) string {
	var b strings.Builder
	at := from
	for _, s := range spots {
		b.WriteString(text[at:s.from])
		b.WriteString("<mark>" + text[s.from:s.to] + "</mark>")
		at = s.to
	}
	b.WriteString(text[at:to])
	out := strings.Join(strings.Fields(b.String()), " ")
	if from > 0 && !strings.HasSuffix(text[:from], "\n\n") {
		out = "..." + out
	}
	if to < len(text) && !strings.HasPrefix(text[to:], "\n\n") {
		out += "..."
	}
	return out
}
