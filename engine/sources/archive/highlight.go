package archive

import (
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/fulltext"
)

const (
	maxSnippets  = 3
	snippetBytes = 160
	maxScanned   = 1 << 18 // bytes of a document that are searched for matches
)

func highlights(d document, marked map[string]int) []api.Highlight {
	out := []api.Highlight{}
	if spots := found(d.title, marked); len(spots) > 0 {
		out = append(out, api.Highlight{Field: "title", Snippets: []string{mark(d.title, spots, 0, len(d.title))}})
	}
	content := d.beginning()
	if h := snippets(content, found(content, marked)); len(h.Snippets) > 0 {
		out = append(out, h)
	}
	return out
}

func snippets(content string, spots []spot) api.Highlight {
	h := api.Highlight{Field: "content"}
	for i := 0; i < len(spots) && len(h.Snippets) < maxSnippets; {
		from, to := around(content, spots[i])
		j := i
		for j < len(spots) && spots[j].to <= to {
			j++
		}
		h.Snippets = append(h.Snippets, mark(content, spots[i:j], from, to))
		i = max(j, i+1)
	}
	return h
}

type spot struct{ from, to int }

func found(text string, marked map[string]int) []spot {
	var spots []spot
	for w := range fulltext.EachWord(text) {
		if _, found := marked[w.Text]; !found {
			continue
		}
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

func around(text string, s spot) (from, to int) {
	start := 0
	if i := strings.LastIndex(text[:s.from], "\n\n"); i >= 0 {
		start = i + len("\n\n")
	}
	paragraph, _, _ := strings.Cut(text[start:], "\n\n")
	low, high := s.from-start, min(s.to-start, len(paragraph))
	from = max(0, low-snippetBytes/3)
	from, to = fulltext.Trim(paragraph, from, low, high, min(len(paragraph), max(high, from+snippetBytes)))
	return start + from, start + to
}

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
