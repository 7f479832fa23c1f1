package docs

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/fulltext"
	"searchmcp/engine/markup"
)

// In says where a search looks.
type In string

// The values of searchIn.
const (
	InTitle   In = "title"
	InContent In = "content"
	InBoth    In = "both"
)

// DefaultLimit is search_documents'.
const DefaultLimit = 10

// Query is one search.
type Query struct {
	Text      string
	In        In
	Limit     int
	FileTypes []string // extensions, with or without a dot; none means all
}

// Match is one found document.
type Match struct {
	Prefix    string // of the folder's URIs
	Path      string
	Title     string
	Relevance float64 // in [0,1]
	Excerpt   string
	In        In // where it was found
	Tags      []string
	Section   string // the heading of a long document under which the excerpt stands
	Anchor    string // its fragment
}

// excerptBytes is about two lines.
const excerptBytes = 160

// Search looks in the documents of the last scan; total counts all that match.
func (f *Folder) Search(ctx context.Context, q Query) (matches []Match, total int, err error) {
	words, err := f.searchable(ctx)
	if err != nil {
		return nil, 0, err
	}
	var fields []int
	switch q.In {
	case InTitle:
		fields = []int{fieldTitle}
	case InContent:
		fields = []int{fieldContent}
	}
	wanted := extensions(q.FileTypes)
	again := lazyReader{folder: f, documents: map[string]*markup.Document{}}
	query := fulltext.Query{Text: q.Text, Limit: q.Limit, Fields: fields, Only: func(key string) bool {
		return (wanted == nil || slices.Contains(wanted, strings.ToLower(path.Ext(key)))) &&
			f.policy.Path(key) == api.SkipNone
	}}
	if q.In != InTitle {
		query.Near, query.NearHits = again.texts, nearHits
	}
	hits, total := words.Search(query)
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		d := again.document(h.ID)
		if d == nil {
			total-- // gone since the scan
			continue
		}
		matches = append(matches, match(h, *d, q.In))
	}
	return matches, total, nil
}

// nearHits is how many documents are read again to see whether the words stand together: twice what is shown as a rule.
const nearHits = 20

// lazyReader reads documents again, each once for a search: contents are not kept in memory.
type lazyReader struct {
	folder    *Folder
	documents map[string]*markup.Document // nil: may not be read any more
}

func (r lazyReader) document(key string) *markup.Document {
	d, read := r.documents[key]
	if read {
		return d
	}
	if d := r.folder.long(key); d != nil {
		r.documents[key] = d
		return d
	}
	if data, _, reason, err := r.folder.policy.Read(key); err == nil && reason == api.SkipNone {
		parsed := markup.Parse(key, data)
		d = &parsed
	}
	r.documents[key] = d
	return d
}

func (r lazyReader) texts(key string) []string {
	if d := r.document(key); d != nil {
		return []string{searched(*d), d.Title}
	}
	return nil
}

// long is what is kept of a long document, if its file may still be read and is the one that was scanned.
func (f *Folder) long(key string) *markup.Document {
	f.mu.RLock()
	e := f.entries[key]
	f.mu.RUnlock()
	if e.long == nil {
		return nil
	}
	if stamp, reason, err := f.policy.Stat(key); err != nil || reason != api.SkipNone || !same(stamp, e.stamp) {
		return nil
	}
	return e.long
}

// match shows a hit.
func match(h fulltext.Hit, d markup.Document, in In) Match {
	m := Match{Path: h.ID, Title: d.Title, Relevance: h.Score, In: place(d, h.Words, in), Tags: d.Tags}
	text := d.Plain
	switch {
	case containsAny(text, h.Words):
		if len(text) < longFile/4 {
			break
		}
		if under := d.Under(fulltext.Densest(text, h.Words, excerptBytes)); under != nil && under.Anchor != "" {
			m.Section, m.Anchor = under.Text, under.Anchor
		}
	case m.In == InTitle || containsAny(d.Description, h.Words):
		text = d.Description
	}
	m.Excerpt = fulltext.Excerpt(text, h.Words, excerptBytes)
	return m
}

// place tells whether the words stand in the title, the content or both.
func place(d markup.Document, words []string, in In) In {
	if in == InTitle || in == InContent {
		return in
	}
	rest := searched(d)
	if d.Format != markup.Text {
		rest = strings.Replace(rest, d.Title, "", 1) // the heading that is the title is no second place
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
	return slices.ContainsFunc(fulltext.Words(text), func(w fulltext.Word) bool { return slices.Contains(words, w.Text) })
}

// extensions normalizes file types: "MD", ".md" and "*.md" are ".md"; nil means all.
func extensions(types []string) []string {
	var out []string
	for _, t := range types {
		if t = strings.TrimLeft(strings.ToLower(strings.TrimSpace(t)), "*."); t != "" {
			out = append(out, "."+t)
		}
	}
	return out
}

// Merge puts the matches of several folders into one order.
func Merge(limit int, lists ...[]Match) []Match {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Match) int { return cmp.Compare(b.Relevance, a.Relevance) })
	return all[:min(limit, len(all))]
}

// Format writes the answer of search_documents as the specification prints it.
func Format(matches []Match, total int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Search results: %d ", total)
	if total == 1 {
		b.WriteString("match")
	} else {
		b.WriteString("matches")
	}
	for i, m := range matches {
		uri, title := URI(m.Prefix, m.Path), m.Title
		if m.Anchor != "" {
			uri, title = uri+"#"+markup.Fragment(m.Anchor), title+" › "+m.Section
		}
		fmt.Fprintf(&b, "\n\n%d. %s - \"%s\" (relevance: %.2f)\n   Excerpt: %s\n   Match location: %s", i+1, uri, title, m.Relevance, m.Excerpt, m.In)
		if len(m.Tags) > 0 {
			b.WriteString("\n   Tags: " + strings.Join(m.Tags, ", "))
		}
	}
	return b.String()
}
