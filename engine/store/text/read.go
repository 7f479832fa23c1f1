package text

import (
	"context"
	"fmt"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"searchmcp/engine/api"
)

// Keys calls visit for every row, in no order, until it returns false.
func (x *Index) Keys(ctx context.Context, visit func(Key) bool) error {
	r, err := x.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	return x.guard("list text index", func() error { return eachKey(ctx, r, visit) })
}

func eachKey(ctx context.Context, r index.IndexReader, visit func(Key) bool) error {
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
			return fmt.Errorf("list text index: %w: row with a foreign name", ErrCorrupt)
		}
		if !visit(k) {
			return nil
		}
	}
}

// KeysOf returns the keys of the rows of some paths. Rows deleted a moment ago may be among them: deleting them again does
// nothing.
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

func appendKeys(keys []Key, r index.IndexReader, path string) ([]Key, error) {
	d, err := r.FieldDictPrefix("_id", []byte(path+sep))
	if err != nil {
		return keys, err
	}
	for {
		e, err := d.Next()
		if err != nil {
			return keys, closeAfter(d, err)
		}
		if e == nil {
			return keys, d.Close()
		}
		if k, ok := parseKey(e.Term); ok {
			keys = append(keys, k)
		}
	}
}

// Chunks returns stored chunks by id; those that are not there are left out. Several versions of a file may hold the same id
// only if its content is the same.
func (x *Index) Chunks(ctx context.Context, ids []string) (map[string]api.Chunk, error) {
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	out := make(map[string]api.Chunk, len(ids))
	err = x.guard("read chunks", func() error {
		for i, id := range ids {
			if i%64 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			c, ok, err := chunkByID(ctx, r, id)
			if err != nil {
				return fmt.Errorf("read chunk: %w: %w", ErrCorrupt, err)
			}
			if ok {
				out[id] = c
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func chunkByID(ctx context.Context, r index.IndexReader, id string) (api.Chunk, bool, error) {
	var zero api.Chunk
	tr, err := r.TermFieldReader(ctx, refTerm(id), fieldRef, false, false, false)
	if err != nil {
		return zero, false, err
	}
	p, err := tr.Next(nil)
	if err != nil || p == nil {
		return zero, false, closeAfterOK(tr, err)
	}
	name, err := r.ExternalID(p.ID)
	if err = closeAfterOK(tr, err); err != nil {
		return zero, false, err
	}
	k, ok := parseKey(name)
	if !ok || k.ID != id {
		return zero, false, nil
	}
	return chunkOf(r, k, name)
}

// closeAfterOK closes c and returns err, or what closing gave.
func closeAfterOK(c interface{ Close() error }, err error) error {
	if err != nil {
		return closeAfter(c, err)
	}
	return c.Close()
}

func chunkOf(r index.IndexReader, k Key, name string) (api.Chunk, bool, error) {
	d, err := r.Document(name)
	if err != nil || d == nil {
		return api.Chunk{}, false, err
	}
	var c api.Chunk
	var found bool
	d.VisitFields(func(f index.Field) {
		if f.Name() == fieldChunk && !found {
			c, err = decodeStored(k, f.Value())
			found = true
		}
	})
	if err != nil {
		return c, false, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if found && !strings.HasPrefix(c.ContentHash, k.Hash) {
		return c, false, fmt.Errorf("%w: %w: content hash of %s", ErrCorrupt, errStored, k.Path)
	}
	return c, found, nil
}
