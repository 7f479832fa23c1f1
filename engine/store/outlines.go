package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

// outlineTable is the table of the files' outlines (chunk.outline). It is separate because the RFC's table contains
// only chunks (3.2).
const outlineTable = "outlines"

// withOutlines combines both tables into one. Rows without lines are outlines.
type withOutlines struct{ chunks, outlines vector.Table }

func (s *Store) openTable(ctx context.Context, c *corpus, dir string) (vector.Table, error) {
	chunks, err := s.opt.Tables.Open(ctx, dir, c.table)
	if err != nil || c.name != api.CorpusCode { // documentation has no outlines
		return chunks, err
	}
	outlines, err := s.opt.Tables.Open(ctx, dir, outlineTable)
	if err != nil {
		return nil, errors.Join(err, chunks.Close())
	}
	return &withOutlines{chunks, outlines}, nil
}

func (c *corpus) tables() int {
	if _, two := c.vectors.(*withOutlines); two {
		return 2
	}
	return 1
}

func (t *withOutlines) each(do func(vector.Table) error) error {
	if err := do(t.chunks); err != nil {
		return err
	}
	return do(t.outlines)
}

func (t *withOutlines) sum(figure func(vector.Table) (int, error)) (sum int, err error) {
	err = t.each(func(one vector.Table) error {
		n, err := figure(one)
		sum += n
		return err
	})
	return sum, err
}

func (t *withOutlines) Add(ctx context.Context, rows []vector.Row) error {
	var chunks, outlines []vector.Row
	for i := range rows {
		if rows[i].EndLine == 0 {
			outlines = append(outlines, rows[i])
		} else {
			chunks = append(chunks, rows[i])
		}
	}
	if err := t.chunks.Add(ctx, chunks); err != nil {
		return err
	}
	return t.outlines.Add(ctx, outlines)
}

func (t *withOutlines) DeletePaths(ctx context.Context, paths []string) error {
	return t.each(func(one vector.Table) error { return one.DeletePaths(ctx, paths) })
}

func (t *withOutlines) DeleteIDs(ctx context.Context, ids []string) error {
	return t.each(func(one vector.Table) error { return one.DeleteIDs(ctx, ids) })
}

func (t *withOutlines) Search(ctx context.Context, q vector.Query) ([]vector.Hit, error) {
	var hits, outlines []vector.Hit
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		hits, err = t.chunks.Search(ctx, q)
		return err
	})
	g.Go(func() (err error) {
		outlines, err = t.outlines.Search(ctx, q)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	hits = append(hits, outlines...)
	slices.SortStableFunc(hits, func(a, b vector.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(len(hits), max(q.K, 0))], nil
}

func (t *withOutlines) Keys(ctx context.Context, visit func(vector.Key) bool) error {
	more := true
	return t.each(func(one vector.Table) error {
		if !more {
			return nil
		}
		return one.Keys(ctx, func(k vector.Key) bool {
			more = visit(k)
			return more
		})
	})
}

func (t *withOutlines) Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error) {
	found, err := t.chunks.Vectors(ctx, ids)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := found[id]; return ok })
	if len(rest) == 0 {
		return found, nil
	}
	outlines, err := t.outlines.Vectors(ctx, rest)
	if err != nil {
		return nil, err
	}
	maps.Copy(found, outlines)
	return found, nil
}

func (t *withOutlines) Count(ctx context.Context) (int, error) {
	return t.sum(func(one vector.Table) (int, error) { return one.Count(ctx) })
}

// Version returns the sum of the tables' versions. Each change increments one of them.
func (t *withOutlines) Version(ctx context.Context) (int, error) {
	return t.sum(func(one vector.Table) (int, error) { return one.Version(ctx) })
}

func (t *withOutlines) Shape() (sum vector.Shape, err error) {
	err = t.each(func(one vector.Table) error {
		s, err := one.Shape()
		sum.Fragments, sum.Versions, sum.Deletions = sum.Fragments+s.Fragments, sum.Versions+s.Versions,
			sum.Deletions+s.Deletions
		sum.Unsketched = sum.Unsketched || s.Unsketched
		return err
	})
	return sum, err
}

func (t *withOutlines) Close() error { return errors.Join(t.chunks.Close(), t.outlines.Close()) }
