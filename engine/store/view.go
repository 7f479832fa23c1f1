package store

import (
	"cmp"
	"context"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// View reads the current generation. Commits continue, but Switch waits until all views are released, so release a View
// promptly. A goroutine must release its View before it creates another.
type View struct {
	s    *Store
	open bool // false after Release
}

// View returns a View of s. If s is closed, the View's methods return ErrClosed.
func (s *Store) View() *View { return &View{s: s, open: s.handles.rlock()} }

// Release ends the use of v. It may be called twice, but not concurrently.
func (v *View) Release() {
	if v.open {
		v.s.handles.RUnlock()
	}
	v.open = false
}

func (v *View) corpus(name api.Corpus) (*corpus, error) {
	if !v.open {
		return nil, ErrClosed
	}
	c, ok := v.s.corpora[name]
	if !ok {
		return nil, fmt.Errorf("unknown corpus %q", name)
	}
	return c, nil
}

// Text returns the hits of q in committed files, best first.
func (v *View) Text(ctx context.Context, name api.Corpus, q TextQuery) ([]TextHit, error) {
	return inText(v, name, func(c *corpus) ([]TextHit, error) {
		hits, err := c.text.Search(ctx, q, c.currentKey)
		kept := hits[:0]
		for _, h := range hits {
			if e, ok := c.entry(h.Path); ok && e.hash.HasPrefix(h.ContentHash) { // the file may have changed since the search
				h.ContentHash = e.hash.String()
				kept = append(kept, h)
			}
		}
		return kept, err
	})
}

func inText[T any](v *View, name api.Corpus, f func(*corpus) (T, error)) (T, error) {
	var none T
	c, err := v.corpus(name)
	if err != nil {
		return none, err
	}
	found, err := f(c)
	if err != nil {
		return none, v.s.apiError(c.damage(PartText, err), 0)
	}
	return found, nil
}

// maxNearest is the maximum number of vectors that a search requests if many of them are filtered out.
const maxNearest = 4096

// Nearest returns the k committed chunks whose vectors are nearest to vec, nearest first.
func (v *View) Nearest(ctx context.Context, corpus api.Corpus, vec api.Vector, k int, f Filter) ([]VectorHit, error) {
	c, err := v.corpus(corpus)
	if err != nil {
		return nil, err
	}
	if f.Static {
		hits, err := c.nearest(ctx, c.searchStatic(f.All || v.s.otherModel()), vec, k, f)
		if err != nil && ctx.Err() == nil { // close the damaged sketch, which FillStatic opens again
			c.closeStatic()
		}
		return hits, err
	}
	switch {
	case c.vectorErr != nil:
		return nil, fmt.Errorf("%w: %w", ErrVectors, c.vectorErr)
	case v.s.otherModel():
		return nil, fmt.Errorf("%w: made with another model", ErrVectors)
	}
	hits, err := c.nearest(ctx, c.vectors.Search, vec, k, f)
	if err != nil {
		return nil, v.s.apiError(c.damage(PartVectors, err), 0)
	}
	return hits, nil
}

// NearestBy is like Nearest, but calls search instead of searching the vector table.
func (v *View) NearestBy(ctx context.Context, corpus api.Corpus, search Searcher, vec api.Vector, k int,
	f Filter) ([]VectorHit, error) {
	c, err := v.corpus(corpus)
	if err != nil {
		return nil, err
	}
	return c.nearest(ctx, search, vec, k, f)
}

func (c *corpus) nearest(ctx context.Context, search Searcher, vec api.Vector, k int, f Filter) ([]VectorHit, error) {
	admit, paths, err := c.filter(ctx, f)
	if err != nil {
		return nil, err
	}
	q := vector.Query{Vector: vec, K: k, Paths: paths}
	if admit != nil && paths == nil {
		q.K = min(4*k, maxNearest)
	}
	for {
		hits, err := search(ctx, q)
		if err != nil {
			return nil, err
		}
		kept := make([]VectorHit, 0, k)
		for _, h := range hits {
			if len(kept) < k && c.current(h.Path, h.ContentHash) && (admit == nil || admit(h.Path)) {
				kept = append(kept, h)
			}
		}
		if len(kept) == k || len(hits) < q.K || q.K >= maxNearest {
			return kept, nil
		}
		q.K = min(4*q.K, maxNearest)
	}
}

// filter returns a function that reports whether f admits a path. paths is nil if f admits many paths.
func (c *corpus) filter(ctx context.Context, f Filter) (admit func(string) bool, paths []string, err error) {
	if f.Language == "" && f.Paths == nil {
		return nil, nil, nil
	}
	admit = func(p string) bool {
		if f.Language != "" {
			if e, ok := c.entry(p); !ok || e.lang != f.Language {
				return false
			}
		}
		return f.Paths == nil || f.Paths(p)
	}
	paths = []string{}
	for _, p := range c.paths() {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if !admit(p) {
			continue
		}
		if len(paths) == vector.MaxPaths {
			return admit, nil, nil
		}
		paths = append(paths, p)
	}
	return admit, paths, nil
}

// Chunks returns chunks by id. It omits unknown and outdated ids.
func (v *View) Chunks(ctx context.Context, name api.Corpus, ids []string) (map[string]api.Chunk, error) {
	return inText(v, name, func(c *corpus) (map[string]api.Chunk, error) { return c.currentChunks(ctx, ids) })
}

func (v *View) Current(corpus api.Corpus, path, contentHash string) bool {
	c, err := v.corpus(corpus)
	return err == nil && c.current(path, contentHash)
}

// Paths returns the sorted paths of a corpus. The slice is shared and must not be changed.
func (v *View) Paths(corpus api.Corpus) []string {
	c, err := v.corpus(corpus)
	if err != nil {
		return nil
	}
	return c.paths()
}

type Row = text.Key

type (
	Names    = text.Names
	FileList = text.FileList
)

// FilesWith is like text.Index.FilesWith, but ignores outdated rows.
func (v *View) FilesWith(ctx context.Context, n Names) (FileList, error) {
	return inText(v, cmp.Or(n.Corpus, api.CorpusCode), func(c *corpus) (FileList, error) {
		list, err := c.text.FilesWith(ctx, n, c.currentKey)
		if list.Omitted > 0 { // list.Omitted counts rows instead of files
			list.Omitted = min(list.Omitted, max(0, len(c.paths())-len(list.Rows)))
		}
		return list, err
	})
}

// Like is like text.Index.Like, but ignores outdated rows.
func (v *View) Like(ctx context.Context, name string, limit int) (words []string, rows []Row, err error) {
	words, err = inText(v, api.CorpusCode, func(c *corpus) (words []string, err error) {
		words, rows, err = c.text.Like(ctx, name, limit, c.currentKey)
		return words, err
	})
	return words, rows, err
}

// Popular is like text.Index.Popular, but ignores outdated rows.
func (v *View) Popular(ctx context.Context, limit int, admit func(path string) bool) ([]text.Popular, error) {
	return inText(v, api.CorpusCode, func(c *corpus) ([]text.Popular, error) {
		return c.text.Popular(ctx, limit, func(k Row) bool { return admit(k.Path) && c.currentKey(k) })
	})
}
