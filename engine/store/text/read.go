package text

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
)

// Keys calls visit for every row, in no order, until visit returns false.
func (x *Index) Keys(ctx context.Context, visit func(Key) bool) error {
	r, err := x.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	return x.guard("list text index", func() error { return eachKey(ctx, r, visit) })
}

func eachKey(ctx context.Context, r *scorch.IndexSnapshot, visit func(Key) bool) error {
	ids, err := r.DocIDReaderAll()
	if err != nil {
		return fmt.Errorf("list text index: %w", err)
	}
	defer ids.Close()
	for n := 0; ; n++ {
		if n%checkEvery == checkEvery-1 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		id, err := ids.Next()
		if err != nil {
			return fmt.Errorf("list text index: %w", err)
		}
		if id == nil {
			return nil
		}
		name, err := r.ExternalID(id)
		if err != nil {
			return fmt.Errorf("list text index: %w", err)
		}
		k, ok := parseKey(name)
		if !ok {
			return fmt.Errorf("list text index: %w: row with an invalid key", ErrCorrupt)
		}
		if k.Path != fillerPath && !visit(k) {
			return nil
		}
	}
}

// KeysOf returns the keys of the rows of paths. They may include newly deleted rows, which may be deleted again.
func (x *Index) KeysOf(ctx context.Context, paths []string) (keys []Key, err error) {
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = x.guard("find rows", func() error {
		for _, p := range paths {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if keys, err = appendKeys(keys, r, p); err != nil {
				return fmt.Errorf("find rows: %w", err)
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
		if k, ok := parseKey(term); ok {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// terms yields the words of a dictionary, each valid until the next iteration, and then an error, if any.
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

// Chunks uses all cores for at least parallelChunks but fewer than manyChunks ids. Only a walk through the whole index,
// which is not urgent, requests more.
const (
	parallelChunks = 32
	manyChunks     = 500
)

// Chunks returns stored chunks by id. It omits unknown ids.
func (x *Index) Chunks(ctx context.Context, ids []string) (map[string]api.Chunk, error) {
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cores := 1
	if parallelChunks <= len(ids) && len(ids) < manyChunks {
		cores = runtime.GOMAXPROCS(0)
	}
	found, rows := make([]api.Chunk, len(ids)), newRows(r)
	var g errgroup.Group
	for core := range cores {
		g.Go(func() error {
			return x.guard("read chunks", func() error {
				refs, err := newPostings(r, fieldRef)
				if err != nil {
					return fmt.Errorf("read chunks: %w: %w", ErrCorrupt, err)
				}
				for i := core; i < len(ids); i += cores {
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					c, ok, err := rows.chunkByID(refs, ids[i])
					if err != nil {
						return fmt.Errorf("read chunk: %w: %w", ErrCorrupt, err)
					}
					if ok {
						found[i] = c
					}
				}
				return nil
			})
		})
	}
	if err := g.Wait(); err != nil {
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

func (rs rows) chunkByID(refs postings, id string) (c api.Chunk, ok bool, err error) {
	for _, term := range [][]byte{refTerm(id), longRefTerm(id)} {
		for i := range refs {
			found, err := refs[i].iterate(string(term), false)
			if err != nil {
				return c, false, err
			}
			for {
				p, err := found.Next()
				if err != nil {
					return c, false, err
				}
				if p == nil {
					break
				}
				if c, ok, err = rs.chunk(rs.starts[i] + p.Number()); err != nil || ok && c.ID == id {
					return c, ok, err
				}
			}
		}
	}
	return c, false, nil
}

type rows struct {
	segments []*scorch.SegmentSnapshot
	starts   []uint64 // number of each segment's first row
	count    int      // includes deleted rows
}

func newRows(r *scorch.IndexSnapshot) (rs rows) {
	for _, s := range r.Segments() {
		rs.segments, rs.starts = append(rs.segments, s), append(rs.starts, uint64(rs.count))
		rs.count += int(s.FullSize())
	}
	return rs
}

func (rs rows) visit(number uint64, see func(name string, value []byte) bool) error {
	i, first := slices.BinarySearch(rs.starts, number)
	if !first {
		i--
	}
	if i < 0 {
		return fmt.Errorf("%w: no row %d", ErrCorrupt, number)
	}
	return rs.segments[i].VisitDocument(number-rs.starts[i], func(name string, _ byte, value []byte, _ []uint64) bool {
		return see(name, value)
	})
}

func (rs rows) unit(number uint64, key Key) (u Unit, err error) {
	visitErr := rs.visit(number, func(name string, value []byte) bool {
		if name == fieldUnit {
			u, err = decodeUnit(key, value)
		}
		return err == nil
	})
	if err != nil {
		return u, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return u, visitErr
}

// chunk returns the chunk in the row with the given number. ok is false if the row is a unit or a marker.
func (rs rows) chunk(number uint64) (c api.Chunk, ok bool, err error) {
	var key Key
	visitErr := rs.visit(number, func(name string, value []byte) bool {
		switch name {
		case "_id": // comes first
			if key, ok = parseKey(string(value)); !ok {
				err = fmt.Errorf("%w: row with an invalid key", ErrCorrupt)
			}
			ok = false
		case fieldChunk:
			c, err = decodeStored(key, value)
			ok = err == nil
		}
		return err == nil
	})
	switch {
	case visitErr != nil:
		return c, false, visitErr
	case errors.Is(err, ErrNewer):
		return c, false, err
	case err != nil:
		return c, false, fmt.Errorf("%w: %w", ErrCorrupt, err)
	case ok && !strings.HasPrefix(c.ContentHash, key.Hash):
		return c, false, fmt.Errorf("%w: %w: content hash of %s", ErrCorrupt, errStored, key.Path)
	}
	return c, ok, nil
}
