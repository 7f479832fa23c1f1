package sketch

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"searchmcp/engine/api"
)

// Hit is a row near a query.
type Hit struct {
	ID, Path, ContentHash string
	StartLine, EndLine    int
	Score                 float64 // cosine similarity, to within about 0.001
}

// candidate is a row that the one-bit codes let through.
type candidate struct {
	row      int
	estimate float32
}

// spare is how many candidates are rescored beyond the answer. Of 20,000 chunks of thirty projects the ten
// nearest were among the first 100 by estimate in 99.5 of 100 cases, among the first 200 always; more rows lie
// closer together.
const spare = 512

// Rows whose codes are read at once: reading over a gap of three takes less than another call of the system.
const (
	maxGap = 4
	maxRun = 128 // 56 KB
)

// Search returns the k nearest rows, nearest first; with paths not nil only rows of these.
func (s *Sketch) Search(ctx context.Context, v *api.Vector, k int, paths []string) ([]Hit, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, ErrClosed
	}
	if k <= 0 {
		return nil, nil
	}
	var only map[uint32]bool
	if paths != nil {
		only = make(map[uint32]bool, len(paths))
		for _, p := range paths {
			only[pathHash(p)] = true
		}
	}
	found, err := s.scan(ctx, v, k+spare, only)
	if err != nil {
		return nil, err
	}
	return s.rescore(ctx, v, found, k, paths)
}

// parallelFrom is the number of rows from which a scan pays for a second goroutine: half a millisecond of work.
const parallelFrom = 4 * blockRows

// scan estimates every row and returns the best n. The lock is held.
func (s *Sketch) scan(ctx context.Context, v *api.Vector, n int, only map[uint32]bool) ([]candidate, error) {
	q := newQuestion(v)
	workers := 1
	if s.rows() > parallelFrom {
		workers = min(runtime.GOMAXPROCS(0), len(s.blocks))
	}
	parts := make([]best, workers)
	var wg sync.WaitGroup
	for w := range workers {
		parts[w].limit = n
		wg.Go(func() {
			for b := w; b < len(s.blocks) && ctx.Err() == nil; b += workers {
				parts[w].block(&q, s.blocks[b], b*blockRows, only)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	all := parts[0]
	for _, p := range parts[1:] {
		all.list = append(all.list, p.list...)
	}
	all.cut()
	return all.list, nil
}

// best keeps the candidates with the highest estimates, in no order. The list grows to twice the limit and is then
// cut, so a candidate costs a comparison and a few moves.
type best struct {
	limit int
	floor float32 // the lowest estimate that still counts, once full
	full  bool
	list  []candidate
}

func (t *best) block(q *question, rows []row, first int, only map[uint32]bool) {
	for i := range rows {
		r := &rows[i]
		if r.mark&removed != 0 || only != nil && !only[r.path] {
			continue
		}
		e := q.estimate(r)
		if t.full && e <= t.floor {
			continue
		}
		if t.list = append(t.list, candidate{first + i, e}); len(t.list) == 2*t.limit {
			t.cut()
		}
	}
}

func (t *best) cut() {
	if len(t.list) < t.limit {
		return
	}
	selectHighest(t.list, t.limit)
	t.list = t.list[:t.limit]
	t.full, t.floor = true, t.list[0].estimate
	for _, c := range t.list {
		t.floor = min(t.floor, c.estimate)
	}
}

// before orders candidates: the higher estimate, then the lower row, so that the same rows are kept always.
func (c candidate) before(o candidate) bool {
	return c.estimate > o.estimate || c.estimate == o.estimate && c.row < o.row
}

// selectHighest moves the n first of a list to its front, in no order (Hoare, Algorithm 65: Find, 1961). Sorting
// the whole list was half of a scan.
func selectHighest(list []candidate, n int) {
	for lo, hi := 0, len(list)-1; lo < hi; {
		pivot := median(list[lo], list[(lo+hi)/2], list[hi])
		i, j := lo, hi
		for i <= j {
			for list[i].before(pivot) {
				i++
			}
			for pivot.before(list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch { // the border lies left of j, right of i, or between them
		case n-1 <= j:
			hi = j
		case n-1 >= i:
			lo = i
		default:
			return
		}
	}
}

func median(a, b, c candidate) candidate {
	if b.before(a) {
		a, b = b, a
	}
	if c.before(b) {
		b = c
		if b.before(a) {
			b = a
		}
	}
	return b
}

// rescore orders candidates by their eight-bit codes and names the best. The lock is held.
func (s *Sketch) rescore(ctx context.Context, v *api.Vector, found []candidate, k int, paths []string) ([]Hit, error) {
	// In the order of the file, which is the order a disk likes.
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.row, b.row) })
	type scored struct {
		Hit
		file uint32
	}
	list := make([]scored, 0, len(found))
	buf := make([]byte, 0, maxRun*codesSize)
	for len(found) > 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		first, n := found[0].row, 1
		for n < len(found) && found[n].row-found[n-1].row <= maxGap && found[n].row-first < maxRun {
			n++
		}
		codes, err := s.read(first, found[n-1].row-first+1, buf)
		if err != nil {
			return nil, err
		}
		for _, c := range found[:n] {
			d, err := detailOf(c.row, codes[(c.row-first)*codesSize:][:codesSize])
			if err != nil {
				return nil, err
			}
			list = append(list, scored{Hit{ID: d.id, StartLine: int(d.start), EndLine: int(d.end), Score: d.score(v)}, d.file})
		}
		found = found[n:]
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.Score, a.Score) })
	hits := make([]Hit, 0, min(k, len(list)))
	seen := make(map[string]bool, k)
	type name struct{ path, hash string }
	names := map[uint32]name{}
	for i := range list {
		h := &list[i]
		if len(hits) == k {
			break
		}
		n, ok := names[h.file]
		if !ok {
			var err error
			if n.path, n.hash, err = s.name(h.file); err != nil {
				return nil, err
			}
			names[h.file] = n
		}
		if seen[h.ID] || paths != nil && !slices.Contains(paths, n.path) {
			continue // a crash may leave a row twice; a hash stands for more than one path
		}
		seen[h.ID] = true
		h.Path, h.ContentHash = n.path, n.hash
		hits = append(hits, h.Hit)
	}
	return hits, nil
}
