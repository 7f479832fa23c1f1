package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// exportBatch is how many chunks are read from the indexes at once, some megabytes of text.
const exportBatch = 1000

// Exported is a committed file. Vectors is how many of its chunks have a vector.
type Exported struct {
	FileChunks
	Vectors int
}

// Export calls visit for every committed file of a corpus, in path order. What is committed meanwhile may be included
// or not; each file is consistent. No lock is held while visit runs.
func (s *Store) Export(ctx context.Context, corpus api.Corpus, visit func(Exported) error) error {
	if !s.handles.rlock() {
		return ErrClosed
	}
	c := s.corpora[corpus]
	paths := c.paths()
	s.handles.RUnlock()
	return s.export(ctx, c, paths, func(files []FileChunks, chunks map[string]api.Chunk) error {
		for _, f := range files {
			e := Exported{FileChunks: f}
			for _, ch := range f.Chunks {
				if _, embedded := chunks[ch.ID]; embedded {
					e.Vectors++
				}
			}
			if err := visit(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// ExportVectors is Export for those of paths that are committed, with the vectors of their chunks, by id.
func (s *Store) ExportVectors(ctx context.Context, corpus api.Corpus, paths []string,
	visit func(FileChunks, map[string]api.Vector) error) error {
	c := s.corpora[corpus]
	return s.export(ctx, c, paths, func(files []FileChunks, chunks map[string]api.Chunk) error {
		vectors, err := s.exportVectors(ctx, c, chunks)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := visit(f, vectors); err != nil {
				return err
			}
		}
		return nil
	})
}

// export reads paths in batches. visit gets a batch's files, and its chunks that have a vector, by id.
func (s *Store) export(ctx context.Context, c *corpus, paths []string,
	visit func([]FileChunks, map[string]api.Chunk) error) error {
	for len(paths) > 0 {
		n, chunks := 0, 0
		for n < len(paths) && chunks < exportBatch {
			e, _ := c.entry(paths[n])
			chunks += e.chunks
			n++
		}
		files, embedded, err := s.exportPaths(ctx, c, paths[:n])
		if err != nil {
			return s.apiError(fmt.Errorf("export index: %w", err), 0)
		}
		if err := visit(files, embedded); err != nil {
			return err
		}
		paths = paths[n:]
	}
	return nil
}

// exportPaths returns the files of paths, and their chunks that have a vector, by id.
func (s *Store) exportPaths(ctx context.Context, c *corpus,
	paths []string) ([]FileChunks, map[string]api.Chunk, error) {
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return nil, nil, ErrClosed
	}
	defer s.handles.RUnlock()
	usable := c.vectorErr == nil && !s.otherModel()
	if usable {
		if err := c.deriveMissing(ctx); err != nil {
			return nil, nil, c.damage(PartVectors, err)
		}
	}
	embedded := map[string]bool{}
	found, err := c.liveChunks(ctx, paths, func(k text.Key) bool {
		embedded[k.ID] = usable && c.hasVector(k)
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	files := c.groupByFile(paths, found)
	maps.DeleteFunc(found, func(id string, _ api.Chunk) bool { return !embedded[id] })
	return files, found, nil
}

// exportVectors reads the vectors of chunks that have one. Those that have changed since they were listed are left out.
func (s *Store) exportVectors(ctx context.Context, c *corpus,
	chunks map[string]api.Chunk) (map[string]api.Vector, error) {
	if !s.handles.rlock() {
		return nil, ErrClosed
	}
	defer s.handles.RUnlock()
	vectors, err := s.vectorsOf(ctx, c, chunks)
	if err != nil {
		return nil, s.apiError(fmt.Errorf("export index: %w", c.damage(PartVectors, err)), 0)
	}
	return vectors, nil
}

// groupByFile groups chunks by file. A file that has changed meanwhile, so that chunks are missing, is left out.
func (c *corpus) groupByFile(paths []string, chunks map[string]api.Chunk) []FileChunks {
	byPath := map[string][]api.Chunk{}
	for _, ch := range chunks {
		byPath[ch.Path] = append(byPath[ch.Path], ch)
	}
	files := make([]FileChunks, 0, len(paths))
	for _, p := range paths {
		e, ok := c.entry(p)
		if !ok || len(byPath[p]) != e.chunks {
			continue
		}
		slices.SortFunc(byPath[p], func(a, b api.Chunk) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
		files = append(files, FileChunks{Path: p, Hash: e.hash.String(), Stamp: e.stamp, Chunks: byPath[p]})
	}
	return files
}

// ModelHash names the model that the vectors were made with, ChunkerVersion what cut the chunks; "" while there are
// none.
func (s *Store) ModelHash() string { return s.manifest.Load().Model }

// ChunkerVersion: see ModelHash.
func (s *Store) ChunkerVersion() string { return s.manifest.Load().Chunker }

// Searcher finds the nearest rows of some vector table.
type Searcher func(ctx context.Context, q vector.Query) ([]VectorHit, error)

// TableName is the name of a corpus's vector table (RFC 3.2).
func TableName(corpus api.Corpus) string { return layouts[corpus].table }
