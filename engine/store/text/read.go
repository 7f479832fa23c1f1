package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
)

// read calls f with a snapshot of the index. An error of f means that the index is damaged (ErrCorrupt), unless ctx was
// cancelled. op describes f in errors.
func (x *Index) read(ctx context.Context, op string, f func(*scorch.IndexSnapshot) error) error {
	r, err := x.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	switch err = x.guard(op, func() error { return f(r) }); {
	case err == nil || errors.Is(err, ErrCorrupt):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, context.Cause(ctx))
	}
	return fmt.Errorf("%s: %w: %w", op, ErrCorrupt, err)
}

// Keys calls visit for every row, in no order. It reads the dictionaries of rows only, because the rows would stay in
// memory as mapped pages.
func (x *Index) Keys(ctx context.Context, visit func(Key)) error {
	return x.read(ctx, "list text index", func(r *scorch.IndexSnapshot) error {
		for _, s := range r.Segments() {
			if err := segmentKeys(ctx, s, visit); err != nil {
				return err
			}
		}
		return nil
	})
}

func segmentKeys(ctx context.Context, s *scorch.SegmentSnapshot, visit func(Key)) error {
	rows, err := s.Segment().Dictionary("_id")
	if err != nil {
		return err
	}
	var list segment.PostingsList
	it := rows.AutomatonIterator(nil, nil, nil)
	for n := 1; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := it.Next()
		if err != nil || e == nil {
			return err
		}
		if deleted := s.Deleted(); deleted != nil {
			if list, err = rows.PostingsList([]byte(e.Term), deleted, list); err != nil {
				return err
			}
			if list.Count() == 0 {
				continue
			}
		}
		k, err := parseKey(e.Term)
		if err != nil {
			return err
		}
		if k.Path != fillerPath {
			visit(k)
		}
	}
}

// KeysOf returns the keys of the rows of paths. Newly deleted rows may be included.
func (x *Index) KeysOf(ctx context.Context, paths []string) (keys []Key, err error) {
	err = x.read(ctx, "find rows", func(r *scorch.IndexSnapshot) error {
		for _, p := range paths {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if keys, err = appendKeys(keys, r, p); err != nil {
				return err
			}
		}
		return nil
	})
	return keys, err
}

func appendKeys(keys []Key, r *scorch.IndexSnapshot, path string) ([]Key, error) {
	for term, err := range terms(r.FieldDictPrefix("_id", []byte(path+sep))) {
		if err != nil {
			return keys, err
		}
		k, err := parseKey(term)
		if err != nil {
			return keys, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// terms yields the words of a dictionary. A word is valid until the next iteration. If reading fails, terms finally
// yields an error.
func terms(d index.FieldDict, err error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err != nil {
			yield("", err)
			return
		}
		defer d.Close()
		for {
			switch e, err := d.Next(); {
			case err != nil:
				yield("", err)
				return
			case e == nil || !yield(e.Term, nil):
				return
			}
		}
	}
}

// Chunks reads many chunks on all cores. It reads very many, as background work does, on one core.
const (
	parallelChunks = 32
	manyChunks     = 500
)

// Chunks returns stored chunks by ID. It omits unknown IDs.
func (x *Index) Chunks(ctx context.Context, ids []string) (map[string]api.Chunk, error) {
	cores := 1
	if parallelChunks <= len(ids) && len(ids) < manyChunks {
		cores = runtime.GOMAXPROCS(0)
	}
	found := make([]api.Chunk, len(ids))
	err := x.read(ctx, "read chunks", func(r *scorch.IndexSnapshot) error {
		rows := newRows(r)
		return x.parallel("read chunks", cores, func(core int) error {
			refs, err := newDictionaries(r, fieldRef)
			var lists postings
			for i := core; i < len(ids) && err == nil; i += cores {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if lists, err = refs.find(r, string(refTerm(ids[i])), lists); err == nil {
					found[i], err = rows.chunk(lists, ids[i])
				}
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	out := make(map[string]api.Chunk, len(ids))
	for i, id := range ids {
		if found[i].ID == id {
			out[id] = found[i]
		}
	}
	return out, nil
}

// parallel calls f for 0 to n-1, on all cores.
func (x *Index) parallel(op string, n int, f func(i int) error) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		g.Go(func() error { return x.guard(op, func() error { return f(i) }) })
	}
	return g.Wait()
}

// chunk returns the chunk with the given ID, or a chunk without an ID. lists contains the rows whose IDs begin like id.
func (rs rows) chunk(lists postings, id string) (api.Chunk, error) {
	for i, list := range lists {
		if list.Count() == 0 {
			continue
		}
		for it := rowsOf(list).Iterator(); it.HasNext(); {
			if c, err := rs.chunkAt(rs.starts[i] + uint64(it.Next())); err != nil || c.ID == id {
				return c, err
			}
		}
	}
	return api.Chunk{}, nil
}

type rows struct {
	segments []*scorch.SegmentSnapshot
	starts   []uint64 // number of each segment's first row
	count    int      // number of rows, including deleted rows
}

func newRows(r *scorch.IndexSnapshot) (rs rows) {
	for _, s := range r.Segments() {
		rs.segments, rs.starts = append(rs.segments, s), append(rs.starts, uint64(rs.count))
		rs.count += int(s.FullSize())
	}
	return rs
}

// stored calls f with the key and a stored field of the row with the given number.
func (rs rows) stored(number uint64, field string, f func(k Key, value []byte) error) error {
	i, first := slices.BinarySearch(rs.starts, number)
	if !first {
		i--
	}
	var k Key
	var err error
	visitErr := rs.segments[i].VisitDocument(number-rs.starts[i], func(name string, _ byte, v []byte, _ []uint64) bool {
		switch name {
		case "_id": // visited before the other fields
			k, err = parseKey(string(v))
		case field:
			err = f(k, v)
		}
		return err == nil
	})
	return cmp.Or(visitErr, err)
}

func (rs rows) unitAt(number uint64) (u Unit, err error) {
	err = rs.stored(number, fieldUnit, func(k Key, value []byte) error { return decode(k, value, &u) })
	return u, err
}

// chunkAt returns the chunk in the row with the given number. If the row is a unit or a marker, the chunk has no ID.
func (rs rows) chunkAt(number uint64) (c api.Chunk, err error) {
	err = rs.stored(number, fieldChunk, func(k Key, value []byte) error {
		if c, err = decodeChunk(k, value); err == nil && !strings.HasPrefix(c.ContentHash, k.Hash) {
			err = fmt.Errorf("%w: content hash of %s", errStored, k.Path)
		}
		return err
	})
	return c, err
}
