package vector

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"

	"searchmcp/engine/store/vector/sketch"
)

// sketched is the sketch of a table. Without a sketch, LanceDB compares the query with every row, which is ten times as
// slow at 100,000 rows.
type sketched struct {
	dir     string
	missing atomic.Bool // the table has rows but no sketch; rewriting the table creates one
	open    atomic.Pointer[sketch.Sketch]
	opening sync.Mutex // held by load and reload
}

// load opens the sketch of a table with the given number of rows, or creates the sketch of an empty table.
func (k *sketched) load(rows int) {
	k.opening.Lock()
	defer k.opening.Unlock()
	k.loadLocked(rows)
}

func (k *sketched) loadLocked(rows int) {
	k.missing.Store(false)
	if rows == 0 {
		s, err := sketch.Create(k.dir)
		if err != nil {
			slog.Warn("sketch of vectors not made, searches compare every vector", "err", err)
		}
		k.open.Store(s)
		return
	}
	s, err := sketch.Open(k.dir)
	if err == nil && s.Len() != rows {
		// After a crash, the sketch may lack rows of the table.
		err = errors.Join(sketch.ErrDamaged, s.Close())
	}
	k.missing.Store(err != nil)
	if err == nil {
		k.open.Store(s)
	} else if !errors.Is(err, fs.ErrNotExist) {
		k.discard(err)
	}
}

// reload opens the sketch again unless it has the given number of rows.
func (k *sketched) reload(rows int) error {
	k.opening.Lock()
	defer k.opening.Unlock()
	if s := k.open.Load(); s == nil || s.Len() == rows {
		return nil
	}
	if err := k.close(); err != nil {
		return err
	}
	k.loadLocked(rows)
	return nil
}

func (k *sketched) discard(err error) {
	slog.Warn("sketch of vectors not usable, searches compare every vector until it is rebuilt", "err", err)
	if err := sketch.Remove(k.dir); err != nil {
		slog.Warn("sketch of vectors not removed", "err", err)
	}
}

// use calls f with the sketch, and discards the sketch if f fails. ok is false if there is no usable sketch.
func (k *sketched) use(f func(*sketch.Sketch) error) (ok bool) {
	s := k.open.Load()
	if s == nil {
		return false
	}
	err := f(s)
	if err != nil && !errors.Is(err, sketch.ErrClosed) && k.open.CompareAndSwap(s, nil) {
		k.missing.Store(true)
		k.discard(errors.Join(err, s.Close()))
	}
	return err == nil
}

func (k *sketched) search(ctx context.Context, q *Query) (hits []Hit, ok bool, err error) {
	ok = k.use(func(s *sketch.Sketch) error {
		if hits, err = s.Search(ctx, *q); ctx.Err() != nil {
			hits, err = nil, context.Cause(ctx)
			return nil
		}
		return err
	})
	return hits, ok, err
}

// keys calls visit with the key of each row of the sketch. ok is false if the sketch is missing.
func (k *sketched) keys(visit func(Key)) (ok bool, err error) {
	ok = k.use(func(s *sketch.Sketch) error {
		err = s.Each(visit)
		return err
	})
	return ok, err
}

func (k *sketched) close() error {
	if s := k.open.Swap(nil); s != nil {
		return s.Close()
	}
	return nil
}
