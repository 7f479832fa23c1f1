package sketch

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
)

type Query struct {
	Vector api.Vector
	K      int
	Paths  []string // only rows of these paths; nil means all
}

type Hit struct {
	ID, Path, ContentHash string
	StartLine, EndLine    int
	Score                 float64 // cosine similarity, to within about 0.001
}

type candidate struct {
	row      int
	estimate float32
}

// spare is the number of candidates that are rescored in addition to the requested rows. Among 20,000 chunks of thirty
// projects, the ten nearest were always among the 200 best estimates.
const spare = 512

const (
	// maxGap is the maximum distance of two rows that are read together. Reading the rows between them is faster than
	// another system call.
	maxGap = 4
	maxRun = 128 // maximum number of rows that are read together, 56 KB
)

// rowsPerReader is the number of rows that a goroutine reads. Reading them takes 0.4 ms.
const rowsPerReader = 256

// Search returns the q.K rows nearest to q.Vector, nearest first.
func (s *Sketch) Search(ctx context.Context, q Query) ([]Hit, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, ErrClosed
	}
	if q.K <= 0 {
		return nil, nil
	}
	var pathHashes map[uint32]bool
	if q.Paths != nil {
		pathHashes = make(map[uint32]bool, len(q.Paths))
		for _, p := range q.Paths {
			pathHashes[pathHash(p)] = true
		}
	}
	found, err := s.scan(ctx, &q, pathHashes)
	if err != nil {
		return nil, err
	}
	return s.rescore(ctx, &q, found)
}

// parallelFrom is the number of rows above which several goroutines search. Scanning so many takes 0.5 ms.
const parallelFrom = 4 * blockRows

// scan returns the candidates with the best estimates. pathHashes contains the hashes of q.Paths. The caller must hold
// s.mu.
func (s *Sketch) scan(ctx context.Context, q *Query, pathHashes map[uint32]bool) ([]candidate, error) {
	n, asked := q.K+spare, newQuestion(&q.Vector)
	workers := 1
	if s.rows() > parallelFrom {
		workers = min(runtime.GOMAXPROCS(0), len(s.blocks))
	}
	parts := make([]best, workers)
	var wg sync.WaitGroup
	for w := range workers {
		parts[w] = best{limit: n, floor: float32(math.Inf(-1)), list: make([]candidate, 0, min(2*n, s.rows()))}
		wg.Go(func() {
			for b := w; b < len(s.blocks) && ctx.Err() == nil; b += workers {
				parts[w].block(&asked, s.blocks[b], b*blockRows, pathHashes)
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

// best collects the candidates with the best estimates.
type best struct {
	limit int         // maximum number of candidates
	floor float32     // estimate that a further candidate must exceed
	list  []candidate // unsorted; reduced to the best when its length reaches 2*limit
}

func (t *best) block(q *question, rows []row, first int, pathHashes map[uint32]bool) {
	for i := range rows {
		r := &rows[i]
		if r.mark&removed != 0 || pathHashes != nil && !pathHashes[r.path] {
			continue
		}
		e := q.estimate(r)
		if e <= t.floor {
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
	slices.SortFunc(t.list, func(a, b candidate) int {
		switch { // cmp.Or is much slower
		case a.estimate > b.estimate:
			return -1
		case a.estimate < b.estimate:
			return 1
		}
		return cmp.Compare(a.row, b.row)
	})
	t.list = t.list[:t.limit]
	t.floor = t.list[t.limit-1].estimate
}

// scored contains the score and the index of a detail. Sorting the large details would be slower.
type scored struct {
	score float64
	at    int
}

// rescore ranks the candidates by their eight-bit codes and returns the best as hits. The caller must hold s.mu.
func (s *Sketch) rescore(ctx context.Context, q *Query, found []candidate) ([]Hit, error) {
	// Sort the candidates by row, to read the file sequentially.
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.row, b.row) })
	details, list := make([]detail, len(found)), make([]scored, len(found))
	var g errgroup.Group
	for from := 0; from < len(found); from += rowsPerReader {
		g.Go(func() error {
			return s.readDetails(ctx, found[from:min(from+rowsPerReader, len(found))], func(i int, d *detail) error {
				details[from+i], list[from+i] = *d, scored{d.score(&q.Vector), from + i}
				return nil
			})
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	hits := make([]Hit, 0, min(q.K, len(list)))
	seen := make(map[string]bool, q.K)
	name := s.cachedNames()
	for _, next := range list {
		if len(hits) == q.K {
			break
		}
		d := &details[next.at]
		path, hash, err := name(d.file)
		if err != nil {
			return nil, err
		}
		id := d.rowID()
		if seen[id] || q.Paths != nil && !slices.Contains(q.Paths, path) {
			continue // a duplicate row after a crash, or another path with the same hash
		}
		seen[id] = true
		hits = append(hits, Hit{ID: id, Path: path, ContentHash: hash, StartLine: int(d.start), EndLine: int(d.end),
			Score: next.score})
	}
	return hits, nil
}

// readDetails calls visit with the detail of each candidate in found, which must be sorted by row. d.levels is valid
// only during the call.
func (s *Sketch) readDetails(ctx context.Context, found []candidate, visit func(i int, d *detail) error) error {
	buf := make([]byte, 0, maxRun*codesSize)
	for done := 0; done < len(found); {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		rest := found[done:]
		first, n := rest[0].row, 1
		for n < len(rest) && rest[n].row-rest[n-1].row <= maxGap && rest[n].row-first < maxRun {
			n++
		}
		codes, err := s.read(first, rest[n-1].row-first+1, buf)
		if err != nil {
			return err
		}
		for i, c := range rest[:n] {
			d, err := detailOf(c.row, codes[(c.row-first)*codesSize:][:codesSize])
			if err != nil {
				return err
			}
			if err := visit(done+i, &d); err != nil {
				return err
			}
		}
		done += n
	}
	return nil
}
