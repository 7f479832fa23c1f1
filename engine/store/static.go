package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/sketch"
)

// A static vector is computed from a table, without the embedding model. It finds a chunk until the chunk has a vector
// of the embedding model. Static vectors have their own sketch, because they are not comparable with the embedding
// model's vectors. They can be recomputed from the text index in seconds, so they have no LanceDB table.
//
// A file's static vectors are added after its commit. They are removed when all of its chunks have vectors of the
// embedding model. After a crash, FillStatic adds missing static vectors.

// Static computes vectors from a table, without the embedding model.
type Static interface {
	Chunk(c api.Chunk) api.Vector
	// Hash identifies the table.
	Hash() string
}

const staticBatch = 128

// maxStaticRemoved is the number of removed rows after which a sketch is recreated.
const maxStaticRemoved = 4096

// openStatic opens or creates the sketch of c's static vectors. The caller must hold c.static, except while the store
// is being opened.
func (s *Store) openStatic(c *corpus) {
	if s.opt.Static == nil || s.opt.NoVectors {
		return
	}
	k, err := sketch.Open(c.path(c.layout.static))
	paths := map[string]bool{}
	if err == nil {
		if s.manifest.Load().Static == s.opt.Static.Hash() {
			paths, err = c.staticPaths(k)
		} else {
			err = fs.ErrNotExist
		}
		if err != nil {
			err = errors.Join(err, k.Close())
		}
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.log.Warn("static vectors not usable, rebuilding", "err", err)
		}
		if k, err = sketch.Create(c.path(c.layout.static)); err != nil {
			c.log.Warn("static vectors not stored", "err", err)
			return
		}
	}
	c.mu.Lock()
	c.quick, c.quickPaths = k, paths
	c.mu.Unlock()
}

func (c *corpus) staticPaths(k *sketch.Sketch) (map[string]bool, error) {
	found, paths := tableRows{}, map[string]bool{}
	if err := k.Each(found.add); err != nil {
		return paths, err
	}
	var wrong []string
	c.mu.RLock()
	for p, r := range found {
		if e, ok := c.entries[p]; ok && r.fit(e) && len(r.ids) == e.chunks {
			paths[p] = true
		} else {
			wrong = append(wrong, p)
		}
	}
	c.mu.RUnlock()
	if err := k.RemovePaths(wrong); err != nil {
		return map[string]bool{}, err
	}
	return paths, nil
}

// resetStatic replaces the sketch of c's static vectors with an empty one. The caller must hold c.vectorWriter and the
// read lock of Store.handles.
func (s *Store) resetStatic(c *corpus) {
	c.static.Lock()
	defer c.static.Unlock()
	c.closeStatic()
	if err := sketch.Remove(c.path(c.layout.static)); err != nil {
		c.log.Warn("static vectors not removed", "err", err)
	}
	s.openStatic(c)
}

// closeStatic closes the sketch of c's static vectors. The next FillStatic opens the sketch again.
func (c *corpus) closeStatic() {
	c.mu.Lock()
	k := c.quick
	c.quick, c.quickPaths = nil, map[string]bool{}
	c.mu.Unlock()
	if k == nil {
		return
	}
	if err := k.Close(); err != nil {
		c.log.Warn("static vectors not closed", "err", err)
	}
}

func (c *corpus) staticSketch() *sketch.Sketch {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.quick
}

// addStatic adds static vectors of chunks. After an error, FillStatic adds these vectors later.
func (s *Store) addStatic(c *corpus, list []FileChunks) error {
	c.static.Lock()
	defer c.static.Unlock()
	k := c.staticSketch()
	if k == nil {
		return nil
	}
	var err error
	var rows []vector.Row
	var done []string
	flush := func() {
		if err == nil {
			err = k.Append(rows)
		}
		rows = rows[:0]
	}
	for _, f := range list {
		c.mu.RLock()
		there := c.quickPaths[f.Path] || c.entries[f.Path].hash.String() != f.Hash
		c.mu.RUnlock()
		if there {
			continue // already added, or changed by a later commit
		}
		for i := range f.Chunks {
			ch := &f.Chunks[i]
			if rows = append(rows, vector.RowOf(ch, s.opt.Static.Chunk(*ch))); len(rows) == staticBatch {
				flush()
			}
		}
		done = append(done, f.Path)
	}
	flush()
	if err != nil {
		c.closeStatic()
		return fmt.Errorf("write static vectors: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range done {
		c.quickPaths[p] = true
	}
	return nil
}

func (c *corpus) dropStatic(paths []string) {
	c.static.Lock()
	defer c.static.Unlock()
	k := c.staticSketch()
	if k == nil {
		return
	}
	c.mu.Lock()
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !c.quickPaths[p] })
	for _, p := range paths {
		delete(c.quickPaths, p)
	}
	c.mu.Unlock()
	if err := k.RemovePaths(paths); err != nil {
		c.log.Warn("static vectors not removed", "err", err)
		c.closeStatic()
	}
}

// FillStatic computes about limit missing static vectors and returns their number. If all is false, FillStatic skips
// chunks that have a vector of the embedding model.
func (s *Store) FillStatic(ctx context.Context, corpus api.Corpus, limit int, all bool) (int, error) {
	c := s.corpora[corpus]
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return 0, ErrClosed
	}
	defer s.handles.RUnlock()
	c.static.Lock()
	if c.staticSketch() == nil {
		s.openStatic(c)
	}
	c.static.Unlock()
	k := c.staticSketch()
	if k == nil {
		return 0, nil
	}
	all = all || s.otherModel()
	if c.vectorErr == nil && !all {
		if err := c.deriveMissing(ctx); err != nil { // finds chunks that have a vector of the embedding model
			return 0, s.apiError(c.damage(PartVectors, err), 0)
		}
	}
	lacking, spare, kept := c.compareStatic(all)
	if rows, removed := k.Len(), k.Removed(); kept == 0 && rows+removed > 0 || removed > rows+maxStaticRemoved {
		s.resetStatic(c) // faster than removing many rows of the sketch
		lacking, spare, _ = c.compareStatic(all)
	}
	c.dropStatic(spare)
	made := 0
	for len(lacking) > 0 && made < limit {
		if err := ctx.Err(); err != nil {
			return made, context.Cause(ctx)
		}
		n := min(len(lacking), 32)
		list, err := c.committed(ctx, lacking[:n])
		if err != nil {
			return made, s.apiError(err, 0)
		}
		if len(list) == 0 {
			break // a commit has changed these files and added their static vectors
		}
		if err := s.addStatic(c, list); err != nil {
			return made, s.apiError(err, 0)
		}
		for _, f := range list {
			made += len(f.Chunks)
		}
		lacking = lacking[n:]
	}
	return made, nil
}

// purgeStatic empties a sketch that contains vectors of deleted text. FillStatic fills the sketch again.
func (s *Store) purgeStatic(c *corpus) error {
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	if c.staticRemoved() {
		s.resetStatic(c)
	}
	return nil
}

func (c *corpus) staticRemoved() bool {
	k := c.staticSketch()
	return k != nil && k.Removed() > 0
}

func (c *corpus) compareStatic(all bool) (lacking, spare []string, kept int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	all = all || !c.missingKnown || c.vectorErr != nil
	for p, e := range c.entries {
		_, missing := c.missing.files[p]
		switch needed := (all || missing) && e.chunks > 0; {
		case needed && !c.quickPaths[p]:
			lacking = append(lacking, p)
		case !needed && c.quickPaths[p]:
			spare = append(spare, p)
		}
	}
	slices.Sort(lacking)
	return lacking, spare, len(c.quickPaths) - len(spare)
}

func (c *corpus) committed(ctx context.Context, paths []string) ([]FileChunks, error) {
	found, err := c.liveChunks(ctx, paths, func(text.Key) bool { return true })
	return c.groupByFile(paths, found), err
}

// searchStatic returns a Searcher for the vectors computed without the embedding model.
func (c *corpus) searchStatic(all bool) Searcher {
	return func(ctx context.Context, q vector.Query) ([]vector.Hit, error) {
		k := c.staticSketch()
		if k == nil {
			return nil, nil
		}
		hits, err := k.Search(ctx, q)
		if errors.Is(err, sketch.ErrClosed) {
			return nil, nil // the sketch is being recreated
		}
		if err != nil {
			return nil, err
		}
		c.mu.RLock()
		defer c.mu.RUnlock()
		for i, h := range hits {
			m, missing := c.missing.files[h.Path]
			if !all && c.missingKnown && c.vectorErr == nil && (!missing || m.embedded.has(h.ID)) {
				hits[i].ContentHash = "" // makes the caller drop the hit
			}
		}
		return hits, nil
	}
}
