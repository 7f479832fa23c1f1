package vector

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"

	"searchmcp/engine/store/vector/sketch"
)

// sketched is the sketch of a table. Without a sketch LanceDB compares every row, which is as exact but ten times as
// slow at 100,000 rows.
type sketched struct {
	dir string

	mu      sync.RWMutex // locked over the sketch's reads and writes
	s       *sketch.Sketch
	missing bool // the table has rows but no sketch; rewriting the table makes one
}

func SketchDir(dir, name string) string { return filepath.Join(dir, name+".sketch") }

// open opens the sketch of a table with the given number of rows, or creates the sketch of an empty table. If a table
// with rows has no usable sketch, it sets missing.
func (k *sketched) open(rows int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.missing = false
	var err error
	if rows > 0 {
		k.s, err = sketch.Open(k.dir)
		if err == nil && k.s.Len() != rows {
			// After a crash between the writes of table and sketch, it is unknown which rows differ.
			err = errors.Join(sketch.ErrDamaged, k.s.Close())
		}
		if err != nil {
			k.s, k.missing = nil, true
			if !errors.Is(err, fs.ErrNotExist) {
				slog.Warn("sketch of vectors not usable, searches compare every vector until it is rebuilt", "err", err)
				k.remove()
			}
		}
		return
	}
	if k.s, err = sketch.Create(k.dir); err != nil {
		k.s = nil
		slog.Warn("sketch of vectors not made, searches compare every vector", "err", err)
	}
}

func (k *sketched) reopen(rows int) error {
	k.mu.RLock()
	fits := k.s == nil || k.s.Len() == rows
	k.mu.RUnlock()
	if fits {
		return nil
	}
	if err := k.close(); err != nil {
		return err
	}
	k.open(rows)
	return nil
}

// remove removes the files of the sketch, which must be closed. It requires k.mu.
func (k *sketched) remove() {
	if err := sketch.Remove(k.dir); err != nil {
		slog.Warn("sketch of vectors not removed", "err", err) // the next Open compares row counts
	}
}

// change calls f with the sketch, if it exists, and drops the sketch if f fails.
func (k *sketched) change(f func(*sketch.Sketch) error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.s == nil {
		return
	}
	if err := f(k.s); err != nil {
		slog.Warn("sketch of vectors dropped, searches compare every vector until it is rebuilt",
			"err", errors.Join(err, k.s.Close()))
		k.s, k.missing = nil, true
		k.remove()
	}
}

func (k *sketched) add(rows []Row) {
	k.change(func(s *sketch.Sketch) error { return s.Append(entriesOf(rows)) })
}

func entriesOf(rows []Row) []sketch.Entry {
	entries := make([]sketch.Entry, len(rows))
	for i := range rows {
		r := &rows[i]
		entries[i] = sketch.Entry{
			ID: r.ID, Path: r.Path, ContentHash: r.ContentHash, StartLine: r.StartLine, EndLine: r.EndLine, Vector: &r.Vector,
		}
	}
	return entries
}

func (k *sketched) search(ctx context.Context, q *Query) (hits []Hit, ok bool, err error) {
	k.mu.RLock()
	s := k.s
	if s != nil {
		hits, err = s.Search(ctx, *q)
	}
	k.mu.RUnlock()
	switch {
	case s == nil:
		return nil, false, nil
	case ctx.Err() != nil:
		return nil, true, context.Cause(ctx)
	case err != nil:
		k.change(func(now *sketch.Sketch) error {
			if now == s {
				return err
			}
			return nil
		})
		return nil, false, nil
	}
	return hits, true, nil
}

func (k *sketched) isMissing() bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.missing
}

func (k *sketched) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.s == nil {
		return nil
	}
	err := k.s.Close()
	k.s = nil
	return err
}
