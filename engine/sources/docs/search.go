package docs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/fulltext"
	"searchmcp/engine/sources/markup"
)

// Values of the fields api.DocumentQuery.In and Match.In.
const (
	InTitle   = "title"
	InContent = "content"
	InBoth    = "both"
)

type Match struct {
	Prefix    string // prefix of the documents' URIs
	Path      string
	Title     string
	Relevance float64 // in [0,1]
	Excerpt   string
	In        string
	Tags      []string
	Section   string // heading above the excerpt in a long document
	Anchor    string
}

const excerptBytes = 160

// Search returns the best matches and the total number of matches. It ranks by scores, the documents' scores in
// search_docs, if there are any.
func (f *Folder) Search(ctx context.Context, q api.DocumentQuery, scores map[string]float64) (matches []Match,
	total int, err error) {
	words, err := f.searchable(ctx)
	if err != nil {
		return nil, 0, err
	}
	wanted := extensions(q.FileTypes)
	query := fulltext.Query{Text: q.Text, Limit: q.Limit,
		Fields: map[string][]int{InTitle: {fieldTitle}, InContent: {fieldContent}}[q.In], Only: func(key string) bool {
			return (wanted == nil || slices.Contains(wanted, strings.ToLower(path.Ext(key)))) &&
				f.policy.Path(key) == api.SkipNone
		}}
	hits, total, err := words.Search(ctx, query)
	if err == nil && len(scores) > 0 && q.In == InBoth {
		hits, err = rankAsIndex(ctx, words, query, hits, scores)
	}
	if err != nil {
		return nil, 0, err
	}
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		d := f.document(ctx, h.ID)
		if d == nil {
			total-- // the file was removed since the scan
			continue
		}
		matches = append(matches, match(h, *d, q.In))
	}
	return matches, total, nil
}

// rankAsIndex ranks the hits by the scores of search_docs. HTML documents have no such score and keep their own.
func rankAsIndex(ctx context.Context, words *fulltext.Index, query fulltext.Query, hits []fulltext.Hit,
	scores map[string]float64) ([]fulltext.Hit, error) {
	indexed, limit := query, query.Limit
	indexed.Limit = len(scores)
	indexed.Only = func(key string) bool {
		_, found := scores[key]
		return found && query.Only(key)
	}
	both, _, err := words.Search(ctx, indexed)
	if err != nil {
		return nil, err
	}
	least := slices.Min(slices.Collect(maps.Values(scores)))
	for i := range both {
		both[i].Score = scores[both[i].ID]
	}
	for _, h := range hits {
		if _, found := scores[h.ID]; found {
			continue
		}
		if !strings.EqualFold(path.Ext(h.ID), ".html") {
			h.Score = min(h.Score, least)
		}
		both = append(both, h)
	}
	slices.SortFunc(both, func(a, b fulltext.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return both[:min(limit, len(both))], nil
}

func (f *Folder) document(ctx context.Context, key string) *markup.Document {
	if e := f.entry(key); e.parsed != nil {
		if stamp, reason, err := f.policy.Stat(key); err == nil && reason == api.SkipNone && same(stamp, e.stamp) {
			return e.parsed
		}
	}
	data, _, reason, err := f.policy.Read(key)
	if err != nil || reason != api.SkipNone {
		return nil
	}
	d := f.reader.Parse(ctx, key, data)
	return &d
}

func match(h fulltext.Hit, d markup.Document, in string) Match {
	m := Match{Path: h.ID, Title: d.Title, Relevance: h.Score, In: place(d, h.Words, in), Tags: d.Tags}
	text := d.Plain
	switch {
	case containsAny(text, h.Words):
		if len(text) < longFile/4 {
			break
		}
		if under := d.HeadingBefore(fulltext.Densest(text, h.Words, excerptBytes)); under != nil && under.Anchor != "" {
			m.Section, m.Anchor = under.Text, under.Anchor
		}
	case m.In == InTitle || containsAny(d.Description, h.Words):
		text = d.Description
	}
	m.Excerpt = fulltext.Excerpt(text, h.Words, excerptBytes)
	return m
}

func place(d markup.Document, words []string, in string) string {
	if in == InTitle || in == InContent {
		return in
	}
	rest := searched(d)
	if d.Format != markup.Text {
		rest = strings.Replace(rest, d.Title, "", 1) // ignore the title's own heading
	}
	switch title, content := containsAny(d.Title, words), containsAny(rest, words); {
	case title && content:
		return InBoth
	case title:
		return InTitle
	}
	return InContent
}

func containsAny(text string, words []string) bool {
	for w := range fulltext.EachWord(text) {
		if slices.Contains(words, w.Text) {
			return true
		}
	}
	return false
}

func extensions(types []string) []string {
	var out []string
	for _, t := range types {
		if t = strings.TrimLeft(strings.ToLower(strings.TrimSpace(t)), "*."); t != "" {
			out = append(out, "."+t)
		}
	}
	return out
}

func NotSupported(types []string) []string {
	return slices.DeleteFunc(extensions(types), Supported)
}

func Merge(limit int, lists ...[]Match) []Match {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Match) int { return cmp.Compare(b.Relevance, a.Relevance) })
	return all[:min(limit, len(all))]
}

func Format(matches []Match, total, limit int) (text string, shown int) {
	var b strings.Builder
	fmt.Fprintf(&b, "Search results: %d match", total)
	if total != 1 {
		b.WriteString("es")
	}
	limit -= b.Len() + 100 // 100 bytes for the sentence about omitted results
	for i, m := range matches {
		one := formatMatch(i+1, m)
		if limit -= utf8.RuneCountInString(one); limit < 0 {
			fmt.Fprintf(&b, "\n\n%d more results don't fit into one answer. "+
				"Request fewer results or a more precise query.", len(matches)-i)
			return b.String(), i
		}
		b.WriteString(one)
	}
	return b.String(), len(matches)
}

func formatMatch(n int, m Match) string {
	uri, title := URI(m.Prefix, m.Path), m.Title
	if m.Anchor != "" {
		uri, title = uri+"#"+markup.Fragment(m.Anchor), title+" › "+m.Section
	}
	text := fmt.Sprintf("\n\n%d. %s - \"%s\" (relevance: %.2f)\n   Excerpt: %s\n   Match location: %s", n, uri, title,
		m.Relevance, m.Excerpt, m.In)
	if len(m.Tags) > 0 {
		text += "\n   Tags: " + strings.Join(m.Tags, ", ")
	}
	return text
}
