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

// grep simulates an assistant with ripgrep. It orders files by the number of different words of the question, and
// then by the number of matches.
func grep(ctx context.Context, x *Index, q Question) (Found, error) {
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
	hits := make([]api.Hit, min(depth, len(all)))
	for i := range hits {
		hits[i] = x.grepped(all[i].path, words)
	}
	f, err := baselineAnswer(hits)
	return f, errors.Join(err, ctx.Err())
}

// shownLines is the number of lines that grep prints of a file.
const shownLines = 3

// grepped returns the lines of a file with the most words, as a hit whose range is the whole file.
func (x *Index) grepped(path string, words []string) api.Hit {
	lines := x.split(path)
	numbers := make([]int, len(lines))
	found := make([]int, len(lines))
	for i, l := range lines {
		l = strings.ToLower(l)
		numbers[i] = i
		for _, w := range words {
			if strings.Contains(l, w) {
				found[i]++
			}
		}
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(found[b], found[a]) })
	numbers = slices.Sorted(slices.Values(numbers[:min(shownLines, len(numbers))]))
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, "…%d\n%s\n", n+1, lines[n])
	}
	return api.Hit{Path: path, Text: b.String(), StartLine: 1, EndLine: len(lines)}
}

// windowSize is the length of a window in bytes.
const windowSize = 750

// windows searches windows of whole lines, which small search servers often use as chunks, with bleve and its default
// settings.
func windows(ctx context.Context, x *Index, q Question) (f Found, err error) {
	b := x.bleve[q.Corpus()]
	if b == nil {
		var rows []api.Chunk
		for _, path := range x.paths[q.Corpus()] {
			rows = append(rows, windowsOf(path, x.files[path])...)
		}
		if b, err = newBaseline(rows); err != nil {
			return f, fmt.Errorf("baseline index: %w", err)
		}
		x.bleve[q.Corpus()] = b
	}
	query := bleve.NewMatchQuery(q.Text)
	query.SetField("text")
	found, err := b.SearchInContext(ctx, bleve.NewSearchRequestOptions(query, depth, 0, false))
	if err != nil {
		return f, fmt.Errorf("baseline search: %w", err)
	}
	var hits []api.Hit
	for _, h := range found.Hits {
		c := b.rows[h.ID]
		hits = append(hits, api.Hit{Path: c.Path, Text: c.Text, StartLine: c.StartLine, EndLine: c.EndLine})
	}
	return baselineAnswer(hits)
}

func windowsOf(path, content string) []api.Chunk {
	var out []api.Chunk
	var b strings.Builder
	first, n := 1, 0
	flush := func() {
		if strings.TrimSpace(b.String()) != "" {
			out = append(out, api.Chunk{ID: fmt.Sprintf("%s\x00%d", path, len(out)), Path: path,
				Text: strings.TrimSuffix(b.String(), "\n"), StartLine: first, EndLine: n})
		}
		b.Reset()
		first = n + 1
	}
	for line := range strings.Lines(content) {
		if b.Len()+len(line) > windowSize {
			flush()
		}
		n++
		b.WriteString(line)
	}
	flush()
	return out
}

type baseline struct {
	bleve.Index
	rows map[string]api.Chunk
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
