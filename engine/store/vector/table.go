package vector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector/sketch"
)

// Table is an open vector table. Its methods may run concurrently, but only one may write at a time.
type Table struct {
	native Native
	parts  []*part  // LanceDB tables, one for chunks and one for outlines of files
	sketch sketched // contains the rows of all tables
	rows   int      // number of rows of a remote table
	// writeFailed is true after a failed write. The tables and the sketch may then differ.
	writeFailed atomic.Bool

	mu     sync.RWMutex
	closed bool
}

type part struct {
	at   Location
	sums sums
}

// Open opens the vector table in dir, which consists of several LanceDB tables. It creates missing tables, and returns
// ErrLibrary if LanceDB cannot create them.
func (db *DB) Open(ctx context.Context, dir string, names ...string) (*Table, error) {
	if db == nil {
		return nil, ErrNoNative
	}
	if err := checkStrings(append(names, dir)...); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of vector table: %w", err)
	}
	t := &Table{native: db.native, sketch: sketched{dir: filepath.Join(dir, names[0]+".sketch")}}
	rows := 0
	for _, name := range names {
		n, err := t.openPart(ctx, dir, name)
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		rows += n
	}
	t.sketch.load(rows)
	return t, nil
}

func (t *Table) openPart(ctx context.Context, dir, name string) (rows int, err error) {
	p := &part{at: Location{Dir: dir, Name: name},
		sums: sums{table: TableDir(dir, name), list: filepath.Join(dir, name+".sums")}}
	_, there := os.Lstat(p.sums.table)
	if err := p.sums.verify(ctx); err != nil {
		return 0, err
	}
	t.parts = append(t.parts, p)
	rows, err = t.native.Open(ctx, p.at)
	if err == nil && p.sums.filesMissing {
		err = t.native.Keys(ctx, p.at, func([]Key) bool { return true })
	}
	if errors.Is(err, ErrCorrupt) && errors.Is(there, fs.ErrNotExist) {
		// Not ErrCorrupt: callers would recreate the table again and again.
		err = errors.Join(fmt.Errorf("%w: %s", ErrLibrary, err.Error()), os.RemoveAll(p.sums.table))
	}
	if err == nil {
		p.sums.add()
	}
	return rows, err
}

// use calls f while the table is open. Close waits for running calls.
func (t *Table) use(ctx context.Context, f func() error) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return ErrClosed
	}
	if t.writeFailed.Load() {
		// If the failed write changed the table, the sketch has another number of rows.
		rows, err := t.count(ctx)
		if err != nil {
			return err
		}
		if err := t.sketch.reload(rows); err != nil {
			return err
		}
		t.writeFailed.Store(false)
	}
	return f()
}

func (t *Table) write(ctx context.Context, p *part, f func() error) error {
	return t.use(ctx, func() error {
		err := f()
		if err != nil {
			t.writeFailed.Store(true)
			return err
		}
		p.sums.add()
		return nil
	})
}

// Add adds rows. It keeps existing rows with the same id.
func (t *Table) Add(ctx context.Context, rows []Row) error {
	if err := checkRows(rows); err != nil {
		return fmt.Errorf("add vectors: %w", err)
	}
	for i, p := range t.parts {
		own := rows
		if len(t.parts) > 1 {
			own = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return (r.EndLine == 0) != (i == 1) })
		}
		if len(own) == 0 {
			continue
		}
		err := t.write(ctx, p, func() error {
			if err := t.native.Add(ctx, p.at, own); err != nil {
				return err
			}
			t.sketch.use(func(s *sketch.Sketch) error { return s.Append(own) })
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) DeletePaths(ctx context.Context, paths []string) error {
	if err := checkStrings(paths...); err != nil {
		return fmt.Errorf("delete vectors: %w", err)
	}
	for some := range slices.Chunk(paths, MaxPaths) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		ctx := context.WithoutCancel(ctx) // a cancellation would make the tables and the sketch differ
		for _, p := range t.parts {
			err := t.write(ctx, p, func() error { return t.native.Delete(ctx, p.at, some) })
			if err != nil {
				return err
			}
		}
		t.sketch.use(func(s *sketch.Sketch) error { return s.RemovePaths(some) })
	}
	return nil
}

// Search returns the rows nearest to a query. If the sketch is missing, LanceDB compares the query with every row.
func (t *Table) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.K <= 0 || (q.Paths != nil && len(q.Paths) == 0) {
		return nil, nil
	}
	if len(q.Paths) > MaxPaths {
		return nil, fmt.Errorf("search vectors: %w: %d paths", ErrInvalid, len(q.Paths))
	}
	if err := cmp.Or(checkVector(q.Vector[:]), checkStrings(q.Paths...)); err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	if hits, ok, err := t.sketch.search(ctx, &q); ok {
		return hits, err
	}
	var hits []Hit
	err := t.each(ctx, func(at Location) error {
		found, err := t.native.Nearest(ctx, at, q)
		hits = append(hits, found...)
		return err
	})
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(len(hits), q.K)], err
}

func (t *Table) each(ctx context.Context, f func(Location) error) error {
	return t.use(ctx, func() error {
		for _, p := range t.parts {
			if err := f(p.at); err != nil {
				return err
			}
		}
		return nil
	})
}

// Keys calls visit with each key of the table, in no order, until visit returns false.
func (t *Table) Keys(ctx context.Context, visit func(Key) bool) error {
	more := true
	return t.each(ctx, func(at Location) error {
		if !more {
			return nil
		}
		return t.native.Keys(ctx, at, func(page []Key) bool {
			for _, k := range page {
				if more = visit(k); !more {
					break
				}
			}
			return more
		})
	})
}

// SketchKeys calls visit with the key of each row of the sketch, in no order. Without a sketch, it reads the table.
func (t *Table) SketchKeys(ctx context.Context, visit func(Key)) error {
	if ok, err := t.sketch.keys(visit); ok || err != nil {
		return err
	}
	return t.Keys(ctx, func(k Key) bool { visit(k); return true })
}

// Vectors returns vectors by id. It reads only 3,500 vectors a second, so read the vector cache first.
func (t *Table) Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error) {
	if err := checkStrings(ids...); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	all := make(map[string]api.Vector, len(ids))
	return all, t.each(ctx, func(at Location) error {
		if len(all) == len(ids) {
			return nil
		}
		found, err := t.native.Vectors(ctx, at, ids)
		maps.Copy(all, found)
		return err
	})
}

func (t *Table) Count(ctx context.Context) (rows int, err error) {
	err = t.use(ctx, func() error {
		rows, err = t.count(ctx)
		return err
	})
	return rows, err
}

func (t *Table) count(ctx context.Context) (rows int, err error) {
	for _, p := range t.parts {
		n, err := t.native.Count(ctx, p.at)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// Shape counts the files of the table, without a native call.
func (t *Table) Shape() (s Shape, err error) {
	for _, p := range t.parts {
		if err := s.add(p.at); err != nil {
			return s, err
		}
	}
	s.Tables, s.Unsketched = len(t.parts), t.sketch.missing.Load()
	return s, nil
}

// Close waits for running calls and closes the table. It may be called twice.
func (t *Table) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	errs := []error{t.sketch.close()}
	for _, p := range t.parts {
		errs = append(errs, t.native.Close(p.at))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close vector table: %w", err)
	}
	return nil
}
