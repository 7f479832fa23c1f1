package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

// Missing returns at most limit committed chunks that have no vector, most useful first (Options.Priority, Prefer, newest
// change). The same chunks come again until PutVectors was given them. None are missing while vectors cannot be used.
func (s *Store) Missing(ctx context.Context, corpus api.Corpus, limit int) ([]api.Chunk, error) {
	c, ok := s.corpora[corpus]
	if !ok {
		return nil, fmt.Errorf("find missing vectors: unknown corpus %q", corpus)
	}
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.gate.enter() {
		return nil, ErrClosed
	}
	defer s.gate.leave()
	if c.vectorErr != nil || s.otherModel() || limit <= 0 {
		return nil, nil
	}
	if err := c.derive(ctx); err != nil {
		return nil, s.typed(c.damage(PartVectors, err), 0)
	}
	chunks, err := c.nextMissing(ctx, limit, s.opt.Priority)
	if err != nil {
		return nil, s.typed(c.damage(PartText, err), 0)
	}
	if len(chunks) == 0 { // otherwise PutVectors comes and does it
		if err := c.dropStale(ctx); err != nil {
			return nil, s.typed(c.damage(PartVectors, err), 0)
		}
	}
	return chunks, nil
}

func (c *corpus) nextMissing(ctx context.Context, limit int, priority func(string) int) ([]api.Chunk, error) {
	for {
		c.mu.Lock()
		queue := c.order(priority)
		var paths []string
		for n, i := 0, 0; i < len(queue) && n < limit; i++ {
			paths = append(paths, queue[i])
			n += c.entries[queue[i]].chunks - len(c.missing[queue[i]].have)
		}
		c.mu.Unlock()
		if len(paths) == 0 {
			return nil, nil
		}
		chunks, err := c.chunksWithout(ctx, paths)
		if err != nil || len(chunks) > 0 {
			return chunks[:min(limit, len(chunks))], err
		}
		// They are in the set, yet nothing of theirs is left to do: taken out, so that the next ones get their turn.
		c.mu.Lock()
		for _, p := range paths {
			delete(c.missing, p)
		}
		c.queue = nil
		c.mu.Unlock()
	}
}

// chunksWithout reads the chunks of paths that have no vector, in the paths' order.
func (c *corpus) chunksWithout(ctx context.Context, paths []string) ([]api.Chunk, error) {
	live, _, err := c.keysOf(ctx, paths)
	if err != nil {
		return nil, err
	}
	var ids []string
	c.mu.RLock()
	for _, p := range paths {
		for _, k := range live[p] {
			if m, ok := c.missing[p]; ok && k.ID != "" && !m.have.has(k.ID) {
				ids = append(ids, k.ID)
			}
		}
	}
	c.mu.RUnlock()
	found, err := c.text.Chunks(ctx, ids)
	if err != nil {
		return nil, err
	}
	chunks := make([]api.Chunk, 0, len(found))
	for _, ch := range found {
		if c.current(ch.Path, ch.ContentHash) {
			chunks = append(chunks, ch)
		}
	}
	place := make(map[string]int, len(paths))
	for i, p := range paths {
		place[p] = i
	}
	slices.SortFunc(chunks, func(a, b api.Chunk) int {
		return cmp.Or(cmp.Compare(place[a.Path], place[b.Path]), cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.ID, b.ID))
	})
	return chunks, nil
}

// Prefer moves files forward in what Missing returns, the last given first: somebody searched for them.
func (s *Store) Prefer(corpus api.Corpus, paths ...string) {
	c, ok := s.corpora[corpus]
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range paths {
		if _, ok := c.missing[p]; ok {
			c.prefers++
			c.preferred[p] = c.prefers
			c.queue = nil
		}
	}
}

// derive finds out which chunks have no vector by comparing the two indexes, if that is not known. Paths whose rows do not fit become
// stale and are made anew. The vector writer's lock is held.
func (c *corpus) derive(ctx context.Context) error {
	c.mu.RLock()
	known := c.derived
	c.mu.RUnlock()
	if known {
		return nil
	}
	rows, err := c.scanVectors(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.allMissing()
	for p, r := range rows {
		e, ok := c.entries[p]
		switch {
		case !ok || r.foreign || r.hash != e.hash.String() || len(r.ids) > e.chunks:
			c.stale[p] = true // among them files that changed during the scan
		case len(r.ids) == e.chunks && r.sum == e.ids:
			delete(c.missing, p)
		case len(r.ids) == e.chunks:
			c.stale[p] = true
		default:
			c.missing[p] = pending{have: r.ids}
		}
	}
	return nil
}

// pathRows are the vector rows of one path. foreign: some are of other content, or one is there twice.
type pathRows struct {
	hash    string // content of the first row
	ids     idSet
	sum     uint64
	foreign bool
}

func (c *corpus) scanVectors(ctx context.Context) (map[string]*pathRows, error) {
	rows := map[string]*pathRows{}
	err := c.vectors.Keys(ctx, func(k vector.Key) bool {
		r := rows[k.Path]
		if r == nil {
			r = &pathRows{hash: k.ContentHash, ids: idSet{}}
			rows[k.Path] = r
		}
		if r.ids.has(k.ID) || k.ContentHash != r.hash || !c.current(k.Path, k.ContentHash) {
			r.foreign = true
		}
		r.ids.add(k.ID)
		r.sum += sumOf(k.ID)
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("compare vectors with text index: %w", err)
	}
	return rows, nil
}

// addBatch is the number of rows of one addition at most: each makes a fragment, and a thousand rows are 3 MB in flight. LanceDB keeps
// the list of fragments of every version that it has made, so memory grows with the square of their number: a million vectors in batches of
// a thousand took 400 MB.
const addBatch = 4096

// PutVectors adds vectors of committed chunks. Rows whose content is not current any more, and those that are there already, are left
// out. After an error some may have been added; Missing finds out which.
func (s *Store) PutVectors(ctx context.Context, corpus api.Corpus, rows []VectorRow) error {
	c, ok := s.corpora[corpus]
	if !ok {
		return fmt.Errorf("put vectors: unknown corpus %q", corpus)
	}
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	switch {
	case c.vectorErr != nil:
		return fmt.Errorf("put vectors: %w: %w", ErrVectors, c.vectorErr)
	case s.otherModel():
		return fmt.Errorf("put vectors: %w: the table's are of another model", ErrVectors)
	}
	defer s.busy("add vectors")()
	if err := c.putVectors(ctx, rows); err != nil {
		c.mu.Lock()
		c.derived = false
		c.mu.Unlock()
		return s.typed(fmt.Errorf("put %d vectors: %w", len(rows), c.damage(PartVectors, err)), int64(len(rows))*api.VectorDim*4)
	}
	s.committed.Store(time.Now().UnixNano())
	return nil
}

func (c *corpus) putVectors(ctx context.Context, rows []VectorRow) error {
	if err := c.derive(ctx); err != nil {
		return err
	}
	if err := c.dropStale(ctx); err != nil {
		return err
	}
	for part := range slices.Chunk(c.wanted(rows), addBatch) {
		if err := c.vectors.Add(ctx, part); err != nil {
			return err
		}
		step("vectors")
		c.added(part)
	}
	return nil
}

// wanted returns the rows that are missing and current.
func (c *corpus) wanted(rows []VectorRow) []vector.Row {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make([]vector.Row, 0, len(rows))
	for i := range rows {
		ch := &rows[i].Chunk
		m, missing := c.missing[ch.Path]
		if !missing || m.have.has(ch.ID) || c.stale[ch.Path] || c.entries[ch.Path].hash.String() != ch.ContentHash {
			continue
		}
		out = append(out, vector.Row{
			ID: ch.ID, Path: ch.Path, Text: ch.Text, Vector: rows[i].Vector,
			StartLine: ch.StartLine, EndLine: ch.EndLine, ContentHash: ch.ContentHash,
		})
	}
	return out
}

// added notes rows that are in the table now.
func (c *corpus) added(rows []vector.Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range rows {
		r := &rows[i]
		e, ok := c.entries[r.Path]
		m, missing := c.missing[r.Path]
		if !ok || !missing || e.hash.String() != r.ContentHash || c.stale[r.Path] {
			c.stale[r.Path] = true // it changed while the rows were on their way
			continue
		}
		if m.have == nil {
			m.have = make(idSet, e.chunks)
		}
		m.have.add(r.ID)
		c.missing[r.Path] = m
		if len(m.have) >= e.chunks {
			delete(c.missing, r.Path)
			delete(c.preferred, r.Path)
			c.queue = nil
		}
	}
}

// dropStale deletes the vector rows of stale paths. The vector writer's lock is held, so none are added meanwhile.
func (c *corpus) dropStale(ctx context.Context) error {
	if c.vectors == nil || c.vectorErr != nil {
		return nil
	}
	c.mu.RLock()
	paths := slices.Sorted(maps.Keys(c.stale))
	c.mu.RUnlock()
	if len(paths) == 0 {
		return nil
	}
	if err := c.vectors.DeletePaths(ctx, paths); err != nil {
		return err
	}
	step("stale vectors")
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range paths {
		delete(c.stale, p)
	}
	return nil
}

// RebuildVectors puts damaged vector tables aside and begins empty ones; all chunks are missing from then on, and most of their
// vectors come from the cache. Tables that are well are left alone.
func (s *Store) RebuildVectors(ctx context.Context) error {
	return s.alone(func() error {
		for _, name := range api.Corpora {
			c := s.corpora[name]
			if c.vectorErr == nil {
				continue
			}
			if c.vectors != nil {
				if err := c.vectors.Close(); err != nil {
					return fmt.Errorf("close damaged vector table: %w", err)
				}
				c.vectors = nil
			}
			if err := aside(c.dir, c.layout.vectors); err != nil {
				return err
			}
			s.openVectors(ctx, c)
			if c.vectorErr != nil {
				return fmt.Errorf("rebuild vectors: %w", c.vectorErr)
			}
		}
		return nil
	})
}

// alone runs f with all locks: nobody else reads or writes. Stats stand still meanwhile. If f leaves the store without its handles, it
// is closed.
func (s *Store) alone(f func() error) error {
	s.writer.Lock()
	defer s.writer.Unlock()
	for _, name := range api.Corpora {
		c := s.corpora[name]
		c.vectorWriter.Lock()
		defer c.vectorWriter.Unlock()
	}
	if !s.gate.lock() {
		return ErrClosed
	}
	before := s.Stats()
	s.frozen.Store(&before)
	err := f()
	s.frozen.Store(nil)
	s.gate.unlock(!s.whole())
	return s.typed(err, 0)
}

// whole reports whether all handles that a store cannot do without are open.
func (s *Store) whole() bool {
	for _, c := range s.corpora {
		if c.text == nil || c.prints == nil {
			return false
		}
	}
	return true
}
