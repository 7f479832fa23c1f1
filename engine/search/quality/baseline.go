package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/bleve/v2"

	"searchmcp/engine/api"
)

// Baselines are what a developer has without this product: grep by the question's words, then reading whole files; a
// full-text engine with its defaults over the same chunks; and the same engine over windows of 750 characters, the
// usual chunks of small search servers.
func Baselines() []Stage {
	return []Stage{{"grep", true, grep}, {"bleve bm25", false, fullText}, {"windows bm25", true, windows}}
}

// grep counts, as an assistant with ripgrep would: files that hold more of the question's words come first, among them
// those that hold them oftener.
func grep(ctx context.Context, x *Index, q Question) ([]Result, error) {
	words := strings.FieldsFunc(strings.ToLower(q.Text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	slices.Sort(words)
	words = slices.DeleteFunc(slices.Compact(words), func(w string) bool { return len(w) < 3 })
	type counted struct {
		path  string
		words int
		hits  float64
	}
	var all []counted
	for _, path := range x.paths[q.Corpus()] {
		content := strings.ToLower(x.files[path])
		c := counted{path: path}
		for _, w := range words {
			if n := strings.Count(content, w); n > 0 {
				c.words++
				c.hits += math.Log1p(float64(n))
			}
		}
		if c.words > 0 {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.hits, a.hits), cmp.Compare(a.path, b.path))
	})
	out := make([]Result, min(depth, len(all)))
	for i := range out {
		out[i] = Result{Path: all[i].path, Text: x.files[all[i].path], read: all[i].path + "\n" + x.files[all[i].path]}
	}
	return out, ctx.Err()
}

// fullText asks bleve with its standard analyser and BM25.
func fullText(ctx context.Context, x *Index, q Question) ([]Result, error) {
	var rows []api.Chunk
	for _, c := range x.rows[q.Corpus()] {
		if c.EndLine > 0 { // no outline, which is the product's own
			rows = append(rows, c)
		}
	}
	return x.plain(ctx, "chunks of "+string(q.Corpus()), rows, q.Text)
}

// windowSize is the length of a window, in bytes.
const windowSize = 750

// windows asks the same of windows of whole lines.
func windows(ctx context.Context, x *Index, q Question) ([]Result, error) {
	name := "windows of " + string(q.Corpus())
	var rows []api.Chunk
	if x.bleve[name] == nil {
		for _, path := range x.paths[q.Corpus()] {
			rows = append(rows, windowsOf(path, x.files[path])...)
		}
	}
	found, err := x.plain(ctx, name, rows, q.Text)
	for i, r := range found {
		if found[i].read, err = encoded(api.Hit{Path: r.Path, Text: r.Text, Score: 0.5, StartLine: 100,
			EndLine: 120}); err != nil {
			return nil, err
		}
	}
	return found, err
}

func windowsOf(path, content string) []api.Chunk {
	var out []api.Chunk
	var b strings.Builder
	flush := func() {
		if strings.TrimSpace(b.String()) != "" {
			out = append(out, api.Chunk{ID: fmt.Sprintf("%s\x00%d", path, len(out)), Path: path, Text: b.String()})
		}
		b.Reset()
	}
	for line := range strings.Lines(content) {
		if b.Len()+len(line) > windowSize {
			flush()
		}
		b.WriteString(line)
	}
	flush()
	return out
}

// baseline is an index of a full-text engine, and what it holds.
type baseline struct {
	bleve.Index
	rows map[string]api.Chunk
}

// plain asks one of the baseline's indexes, which is made of rows when it is first asked.
func (x *Index) plain(ctx context.Context, name string, rows []api.Chunk, question string) ([]Result, error) {
	b := x.bleve[name]
	if b == nil {
		var err error
		if b, err = newBaseline(rows); err != nil {
			return nil, fmt.Errorf("baseline index: %w", err)
		}
		x.bleve[name] = b
	}
	query := bleve.NewMatchQuery(question)
	query.SetField("text")
	found, err := b.SearchInContext(ctx, bleve.NewSearchRequestOptions(query, depth, 0, false))
	if err != nil {
		return nil, fmt.Errorf("baseline search: %w", err)
	}
	out := make([]Result, 0, len(found.Hits))
	for _, h := range found.Hits {
		out = append(out, Result{Path: b.rows[h.ID].Path, Text: b.rows[h.ID].Text})
	}
	return out, nil
}

func newBaseline(rows []api.Chunk) (*baseline, error) {
	mapping := bleve.NewIndexMapping()
	mapping.ScoringModel = "bm25"
	x, err := bleve.NewMemOnly(mapping)
	if err != nil {
		return nil, err
	}
	b := &baseline{Index: x, rows: make(map[string]api.Chunk, len(rows))}
	batch := x.NewBatch()
	for _, c := range rows {
		b.rows[c.ID] = c
		if err := batch.Index(c.ID, map[string]string{"text": c.Text}); err != nil {
			return nil, errors.Join(err, x.Close())
		}
	}
	if err := x.Batch(batch); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return b, nil
}

// containsLine reports whether a text shows an anchor, whatever the white space around it.
func containsLine(text, anchor string) bool {
	return strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(anchor), " "))
}
