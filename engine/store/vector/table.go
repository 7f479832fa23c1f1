package vector

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector/sketch"
)

type table struct {
	native Native
	at     Place
	sketch sketched
	sums   sums
	// writeFailed is true after a failed write, when table and sketch may differ.
	writeFailed atomic.Bool

	mu     sync.RWMutex
	closed bool
}

// Open opens the table name in dir, or creates it. It returns ErrLibrary if the library cannot create a table.
func (db *DB) Open(ctx context.Context, dir, name string) (Table, error) {
	if db == nil {
		return nil, ErrNoNative
	}
	if err := checkStrings(dir, name); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of vector table: %w", err)
	}
	_, there := os.Lstat(TableDir(dir, name))
	t := &table{native: db.native, at: Place{Dir: dir, Name: name}, sketch: sketched{dir: SketchDir(dir, name)},
		sums: sums{table: TableDir(dir, name), list: SumsFile(dir, name)}}
	if err := t.sums.verify(ctx); err != nil {
		return nil, err
	}
	rows, err := t.native.Open(ctx, t.at)
	if err == nil && t.sums.filesMissing {
		err = t.native.Keys(ctx, t.at, func([]Key) bool { return true })
	}
	if errors.Is(err, ErrCorrupt) && errors.Is(there, fs.ErrNotExist) {
		// If Open returned ErrCorrupt for a new table, the table would be quarantined and recreated forever.
		err = errors.Join(fmt.Errorf("%w: %s", ErrLibrary, err.Error()), os.RemoveAll(TableDir(dir, name)))
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.sums.add()
	t.sketch.open(rows)
	return t, nil
}

// use calls f while the table is open. Close waits for running calls.
func (t *table) use(ctx context.Context, f func() error) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return ErrClosed
	}
	if t.writeFailed.Load() {
		// Each write is a single commit, so the number of rows shows whether the failed write was done.
		rows, err := t.native.Count(ctx, t.at)
		if err != nil {
			return err
		}
		if err := t.sketch.reopen(rows); err != nil {
			return err
		}
		t.writeFailed.Store(false)
	}
	return f()
}

func (t *table) write(ctx context.Context, f func() error) error {
	return t.use(ctx, func() error {
		err := f()
		if err != nil {
			t.writeFailed.Store(true)
			return err
		}
		t.sums.add()
		return nil
	})
}

func (t *table) Add(ctx context.Context, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	if err := checkRows(rows); err != nil {
		return fmt.Errorf("add vectors: %w", err)
	}
	return t.write(ctx, func() error {
		if err := t.native.Add(ctx, t.at, rows); err != nil {
			return err
		}
		t.sketch.add(rows)
		return nil
	})
}

func (t *table) DeletePaths(ctx context.Context, paths []string) error {
	return t.deleteIn(ctx, "path", paths, (*sketch.Sketch).RemovePaths)
}

func (t *table) DeleteIDs(ctx context.Context, ids []string) error {
	return t.deleteIn(ctx, "id", ids, (*sketch.Sketch).RemoveIDs)
}

func (t *table) deleteIn(
	ctx context.Context, column string, values []string, remove func(*sketch.Sketch, []string) error,
) error {
	if err := checkStrings(values...); err != nil {
		return fmt.Errorf("delete vectors: %w", err)
	}
	for part := range slices.Chunk(values, MaxPaths) {
		err := t.write(ctx, func() error {
			if err := t.native.Delete(ctx, t.at, column, part); err != nil {
				return err
			}
			t.sketch.change(func(s *sketch.Sketch) error { return remove(s, part) })
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Search returns the rows nearest to a query. If the sketch is missing, LanceDB compares every row.
func (t *table) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.K <= 0 || (q.Paths != nil && len(q.Paths) == 0) {
		return nil, nil
	}
	if len(q.Paths) > MaxPaths {
		return nil, fmt.Errorf("search vectors: %w: %d paths", ErrInvalid, len(q.Paths))
	}
	if err := checkQuery(q); err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	if hits, ok, err := t.sketch.search(ctx, &q); ok {
		return hits, err
	}
	return t.nearest(ctx, q)
}

func (t *table) nearest(ctx context.Context, q Query) ([]Hit, error) {
	return read(ctx, t, func(ctx context.Context, at Place) ([]Hit, error) { return t.native.Nearest(ctx, at, q) })
}

func read[T any](ctx context.Context, t *table, f func(context.Context, Place) (T, error)) (v T, err error) {
	err = t.use(ctx, func() error {
		v, err = f(ctx, t.at)
		return err
	})
	return v, err
}

func (t *table) Keys(ctx context.Context, visit func(Key) bool) error {
	return t.use(ctx, func() error {
		return t.native.Keys(ctx, t.at, func(page []Key) bool {
			for _, k := range page {
				if !visit(k) {
					return false
				}
			}
			return true
		})
	})
}

func (t *table) Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error) {
	if err := checkStrings(ids...); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	return read(ctx, t, func(ctx context.Context, at Place) (map[string]api.Vector, error) {
		return t.native.Vectors(ctx, at, ids)
	})
}

func (t *table) Count(ctx context.Context) (int, error) { return read(ctx, t, t.native.Count) }

func (t *table) Version(ctx context.Context) (int, error) { return read(ctx, t, t.native.Version) }

func (t *table) Shape() (Shape, error) {
	s, err := ShapeOf(t.at.Dir, t.at.Name)
	s.Unsketched = t.sketch.isMissing()
	return s, err
}

func (t *table) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	if err := errors.Join(t.sketch.close(), t.native.Close(t.at)); err != nil {
		return fmt.Errorf("close vector table: %w", err)
	}
	return nil
}
