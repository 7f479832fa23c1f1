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

// Baselines are what a developer has without this product: grep by the question's words, and a full-text engine with
// its defaults over the same chunks.
func Baselines() []Stage {
	return []Stage{{"grep", grep}, {"bleve bm25", fullText}}
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
		out[i] = Result{Path: all[i].path, Text: x.files[all[i].path]}
	}
	return out, ctx.Err()
}

// fullText asks bleve with its standard analyser and BM25.
func fullText(ctx context.Context, x *Index, q Question) ([]Result, error) {
	engine, err := x.plain(q.Corpus())
	if err != nil {
		return nil, err
	}
	query := bleve.NewMatchQuery(q.Text)
	query.SetField("text")
	found, err := engine.SearchInContext(ctx, bleve.NewSearchRequestOptions(query, depth, 0, false))
	if err != nil {
		return nil, fmt.Errorf("baseline search: %w", err)
	}
	out := make([]Result, 0, len(found.Hits))
	for _, h := range found.Hits {
		out = append(out, Result{Path: x.byID[h.ID].Path, Text: x.byID[h.ID].Text})
	}
	return out, nil
}

// plain makes the baseline's index of a corpus when it is first asked for.
func (x *Index) plain(corpus api.Corpus) (bleve.Index, error) {
	if b := x.bleve[corpus]; b != nil {
		return b, nil
	}
	mapping := bleve.NewIndexMapping()
	mapping.ScoringModel = "bm25"
	b, err := bleve.NewMemOnly(mapping)
	if err != nil {
		return nil, fmt.Errorf("baseline index: %w", err)
	}
	batch := b.NewBatch()
	for _, c := range x.rows[corpus] {
		if c.EndLine == 0 {
			continue // an outline, which is the product's own
		}
		if err := batch.Index(c.ID, map[string]string{"text": c.Text}); err != nil {
			return nil, errors.Join(fmt.Errorf("baseline index: %w", err), b.Close())
		}
	}
	if err := b.Batch(batch); err != nil {
		return nil, errors.Join(fmt.Errorf("baseline index: %w", err), b.Close())
	}
	x.bleve[corpus] = b
	return b, nil
}

// containsLine reports whether a text shows an anchor, whatever the white space around it.
func containsLine(text, anchor string) bool {
	return strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(anchor), " "))
}
