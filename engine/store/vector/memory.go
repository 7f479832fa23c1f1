package vector

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"searchmcp/engine/api"
)

// Memory is a Table that forgets everything when it goes. Every search compares all rows.
type Memory struct {
	mu     sync.RWMutex // guards all below
	rows   []Row
	closed bool
	writes int
}

var _ Table = (*Memory)(nil)

// NewMemory returns an empty table.
func NewMemory() *Memory { return &Memory{} }

// Add implements Table.
func (m *Memory) Add(ctx context.Context, rows []Row) error {
	if err := checkRows(rows); err != nil {
		return err
	}
	return m.write(ctx, func() { m.rows = append(m.rows, rows...) })
}

// DeletePaths implements Table.
func (m *Memory) DeletePaths(ctx context.Context, paths []string) error {
	if err := checkStrings(paths...); err != nil {
		return err
	}
	return m.remove(ctx, paths, func(r Row) string { return r.Path })
}

// DeleteIDs implements Table.
func (m *Memory) DeleteIDs(ctx context.Context, ids []string) error {
	if err := checkStrings(ids...); err != nil {
		return err
	}
	return m.remove(ctx, ids, func(r Row) string { return r.ID })
}

func (m *Memory) remove(ctx context.Context, values []string, of func(Row) string) error {
	set := map[string]bool{}
	for _, v := range values {
		set[v] = true
	}
	return m.write(ctx, func() {
		m.rows = slices.DeleteFunc(m.rows, func(r Row) bool { return set[of(r)] })
	})
}

func (m *Memory) write(ctx context.Context, change func()) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	change()
	m.writes++
	return nil
}

// Search implements Table.
func (m *Memory) Search(ctx context.Context, q Query) ([]Hit, error) {
	if err := checkQuery(q); err != nil {
		return nil, err
	}
	var hits []Hit
	err := m.read(ctx, func(r Row) bool {
		if q.Paths != nil && !slices.Contains(q.Paths, r.Path) {
			return true
		}
		d := 0.0
		for i, x := range r.Vector {
			diff := float64(x - q.Vector[i])
			d += diff * diff
		}
		hits = append(hits, Hit{
			ID: r.ID, Path: r.Path, ContentHash: r.ContentHash, StartLine: r.StartLine, EndLine: r.EndLine, Score: cosine(d),
		})
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(q.K, len(hits))], nil
}

func (m *Memory) read(ctx context.Context, visit func(Row) bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return ErrClosed
	}
	for _, r := range m.rows {
		if !visit(r) {
			break
		}
	}
	return nil
}

// Keys implements Table.
func (m *Memory) Keys(ctx context.Context, visit func(Key) bool) error {
	return m.read(ctx, func(r Row) bool { return visit(Key{ID: r.ID, Path: r.Path, ContentHash: r.ContentHash}) })
}

// Vectors implements Table.
func (m *Memory) Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error) {
	out := map[string]api.Vector{}
	err := m.read(ctx, func(r Row) bool {
		if slices.Contains(ids, r.ID) {
			out[r.ID] = r.Vector
		}
		return true
	})
	return out, err
}

// Count implements Table.
func (m *Memory) Count(ctx context.Context) (n int, err error) {
	err = m.read(ctx, func(Row) bool { n++; return true })
	return n, err
}

// Version implements Table.
func (m *Memory) Version(ctx context.Context) (int, error) {
	err := m.read(ctx, func(Row) bool { return false })
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.writes, err
}

// Shape implements Table; every write counts as a version and a fragment.
func (m *Memory) Shape() (Shape, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return Shape{Fragments: m.writes, Versions: m.writes}, nil
}

// Close implements Table.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

func checkQuery(q Query) error {
	if err := checkVector(q.Vector[:]); err != nil {
		return err
	}
	return checkStrings(q.Paths...)
}

// cosine is the similarity of two unit vectors at a squared distance: |a−b|² = 2 − 2·cos.
func cosine(squared float64) float64 { return 1 - squared/2 }
