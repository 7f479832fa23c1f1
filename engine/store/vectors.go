package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// Missing returns up to limit chunks without a vector, the most urgent first. It returns a chunk again until PutVectors
// has added the vector of the chunk.
func (s *Store) Missing(ctx context.Context, corpus api.Corpus, limit int) ([]api.Chunk, error) {
	c := s.corpora[corpus]
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return nil, ErrClosed
	}
	defer s.handles.RUnlock()
	if c.vectorErr != nil || s.otherModel() || limit <= 0 {
		return nil, nil
	}
	if err := c.deriveMissing(ctx); err != nil {
		return nil, s.apiError(c.damage(PartVectors, err), 0)
	}
	chunks, err := c.nextMissing(ctx, limit, s.opt.Priority)
	if err != nil {
		return nil, s.apiError(err, 0)
	}
	if len(chunks) == 0 { // no PutVectors follows that would delete outdated vectors
		if err := c.deleteStaleVectors(ctx); err != nil {
			return nil, s.apiError(c.damage(PartVectors, err), 0)
		}
	}
	return chunks, nil
}

func (c *corpus) nextMissing(ctx context.Context, limit int, priority func(string) int) ([]api.Chunk, error) {
	for {
		paths := c.first(limit, c.order(priority))
		if len(paths) == 0 {
			return nil, nil
		}
		chunks, err := c.chunksWithout(ctx, paths)
		if err != nil || len(chunks) > 0 {
			return chunks[:min(limit, len(chunks))], err
		}
		// All chunks of these paths have vectors.
		c.mu.Lock()
		for _, p := range paths {
			c.missing.delete(p)
		}
		c.mu.Unlock()
	}
}

func (c *corpus) first(limit int, queue []string) (paths []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for n, i := 0, 0; i < len(queue) && n < limit; i++ {
		if f, ok := c.missing.files[queue[i]]; ok {
			paths = append(paths, queue[i])
			n += f.chunks - len(f.embedded)
		}
	}
	return paths
}

func (c *corpus) chunksWithout(ctx context.Context, paths []string) ([]api.Chunk, error) {
	found, err := c.liveChunks(ctx, paths, func(k text.Key) bool {
		m, missing := c.missing.files[k.Path]
		return missing && !m.embedded.has(k.ID())
	})
	index := make(map[string]int, len(paths))
	for i, p := range paths {
		index[p] = i
	}
	return slices.SortedFunc(maps.Values(found), func(a, b api.Chunk) int {
		return cmp.Or(cmp.Compare(index[a.Path], index[b.Path]), cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.ID, b.ID))
	}), err
}

// Prefer moves files that searches found to the front of Missing. The last path comes first.
func (s *Store) Prefer(corpus api.Corpus, paths ...string) {
	c := s.corpora[corpus]
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range paths {
		if _, ok := c.missing.files[p]; ok {
			c.preferSeq++
			c.preferred[p] = c.preferSeq
			c.queue = nil
		}
	}
}

// deriveMissing finds the chunks without a vector, and marks outdated vectors for deletion. It does nothing if
// c.missingKnown is true. The caller must hold c.vectorWriter.
func (c *corpus) deriveMissing(ctx context.Context) error {
	c.mu.RLock()
	known := c.missingKnown
	c.mu.RUnlock()
	if known {
		return nil
	}
	rows := tableRows{}
	if err := c.vectors.SketchKeys(ctx, rows.add); err != nil {
		return fmt.Errorf("compare vectors with text index: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.markAllMissing()
	for p, r := range rows {
		e, ok := c.entries[p]
		switch {
		case !ok || !r.fit(e):
			c.stale[p] = true
		case len(r.ids) == e.chunks:
			c.missing.delete(p)
		default:
			c.missing.set(p, missingFile{chunks: e.chunks, embedded: r.ids})
		}
	}
	return nil
}

// pathRows contains the rows of a path in a vector table.
type pathRows struct {
	hash       string
	ids        idSet
	mismatched bool // a row is a duplicate, or has another content hash
}

// fit reports whether all rows belong to the current content of the file. Some rows may be missing.
func (r *pathRows) fit(e entry) bool {
	return !r.mismatched && r.hash == e.hash.String() && len(r.ids) <= e.chunks
}

type tableRows map[string]*pathRows

func (t tableRows) add(k vector.Key) {
	r := t[k.Path]
	if r == nil {
		r = &pathRows{hash: k.ContentHash, ids: idSet{}}
		t[k.Path] = r
	}
	r.mismatched = r.mismatched || r.ids.has(k.ID) || k.ContentHash != r.hash
	r.ids.add(k.ID)
}

// addBatch is the number of rows added to a vector table at once. In batches of 1000 rows, a million vectors needed 400
// MB of memory, because each version of a table lists all batches.
const addBatch = 4096

// PutVectors adds rows to the vector table. It ignores outdated and existing rows. After an error, some rows may have
// been added.
func (s *Store) PutVectors(ctx context.Context, corpus api.Corpus, rows []VectorRow) error {
	c := s.corpora[corpus]
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	switch {
	case c.vectorErr != nil:
		return fmt.Errorf("put vectors: %w: %w", ErrVectors, c.vectorErr)
	case s.otherModel():
		return fmt.Errorf("put vectors: %w: the table is of another model", ErrVectors)
	}
	if err := c.putVectors(ctx, rows); err != nil {
		c.mu.Lock()
		c.missingKnown = false
		c.mu.Unlock()
		return s.apiError(fmt.Errorf("put %d vectors: %w", len(rows), c.damage(PartVectors, err)),
			int64(len(rows))*api.VectorDim*4)
	}
	s.lastCommit.Store(time.Now().UnixNano())
	return nil
}

func (c *corpus) putVectors(ctx context.Context, rows []VectorRow) error {
	var done []string
	if err := c.deriveMissing(ctx); err != nil {
		return err
	}
	if err := c.deleteStaleVectors(ctx); err != nil {
		return err
	}
	for part := range slices.Chunk(c.filterMissing(rows), addBatch) {
		if err := c.vectors.Add(ctx, part); err != nil {
			return err
		}
		crashPoint("vectors")
		done = append(done, c.markAdded(part)...)
	}
	c.dropStatic(done)
	return nil
}

func (c *corpus) filterMissing(rows []VectorRow) []vector.Row {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make([]vector.Row, 0, len(rows))
	for i := range rows {
		ch := &rows[i].Chunk
		m, missing := c.missing.files[ch.Path]
		if !missing || m.embedded.has(ch.ID) || c.stale[ch.Path] || c.entries[ch.Path].hash.String() != ch.ContentHash {
			continue
		}
		out = append(out, vector.RowOf(ch, rows[i].Vector))
	}
	return out
}

func (c *corpus) markAdded(rows []vector.Row) (done []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range rows {
		r := &rows[i]
		e, ok := c.entries[r.Path]
		_, missing := c.missing.files[r.Path]
		if !ok || !missing || e.hash.String() != r.ContentHash || c.stale[r.Path] {
			c.stale[r.Path] = true // the file changed while its rows were added
			continue
		}
		if c.missing.embed(r.Path, r.ID) {
			delete(c.preferred, r.Path)
			done = append(done, r.Path)
		}
	}
	return done
}

// deleteStaleVectors deletes the vectors of the paths in c.stale. The caller must hold c.vectorWriter.
func (c *corpus) deleteStaleVectors(ctx context.Context) error {
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
	crashPoint("stale vectors")
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range paths {
		delete(c.stale, p)
	}
	return nil
}

// RebuildVectors reopens unusable vector tables. Empty tables replace damaged ones, which are quarantined.
func (s *Store) RebuildVectors(ctx context.Context) error {
	return s.exclusively(func() error {
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
			if errors.Is(c.vectorErr, vector.ErrCorrupt) {
				if err := quarantine(c.dir, c.layout.vectors); err != nil {
					return err
				}
			}
			s.openVectors(ctx, c)
			if c.vectorErr != nil {
				return fmt.Errorf("rebuild vectors: %w", c.vectorErr)
			}
		}
		return nil
	})
}

// exclusively calls f while it holds the writers' locks and Store.handles. If f does not reopen the corpora,
// exclusively closes the store.
func (s *Store) exclusively(f func() error) error {
	s.writer.Lock()
	defer s.writer.Unlock()
	for _, name := range api.Corpora {
		c := s.corpora[name]
		c.vectorWriter.Lock()
		defer c.vectorWriter.Unlock()
	}
	if !s.handles.lock() {
		return ErrClosed
	}
	before := s.Stats()
	s.frozenStats.Store(&before)
	err := f()
	s.frozenStats.Store(nil)
	s.handles.unlock(!s.handlesOpen())
	return s.apiError(err, 0)
}

func (s *Store) handlesOpen() bool {
	for _, c := range s.corpora {
		if c.text == nil || c.prints == nil {
			return false
		}
	}
	return true
}
