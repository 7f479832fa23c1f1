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

const exportBatch = 1000 // number of chunks in memory at once, a few megabytes

type Exported struct {
	FileChunks
	Vectors int
}

// Export calls visit with every committed file in path order. Commits may continue during the export.
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

// ExportVectors calls visit with each committed file and the vectors of its chunks, by id. The map may also contain
// vectors of other files.
func (s *Store) ExportVectors(ctx context.Context, corpus api.Corpus, paths []string,
	visit func(FileChunks, map[string]api.Vector) error) error {
	c := s.corpora[corpus]
	return s.export(ctx, c, paths, func(files []FileChunks, chunks map[string]api.Chunk) error {
		if !s.handles.rlock() {
			return ErrClosed
		}
		vectors, err := s.vectorsOf(ctx, c, chunks)
		s.handles.RUnlock()
		if err != nil {
			return s.apiError(fmt.Errorf("export index: %w", c.damage(PartVectors, err)), 0)
		}
		for _, f := range files {
			if err := visit(f, vectors); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) export(ctx context.Context, c *corpus, paths []string,
	visit func([]FileChunks, map[string]api.Chunk) error) error {
	for batch := range c.batches(paths, exportBatch) {
		files, embedded, err := s.exportPaths(ctx, c, batch)
		if err != nil {
			return s.apiError(fmt.Errorf("export index: %w", err), 0)
		}
		if err := visit(files, embedded); err != nil {
			return err
		}
	}
	return nil
}

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
		embedded[k.ID()] = usable && c.hasVector(k)
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	files := c.groupByFile(paths, found)
	maps.DeleteFunc(found, func(id string, _ api.Chunk) bool { return !embedded[id] })
	return files, found, nil
}

// groupByFile groups chunks by file, in the order of paths. Changed files are omitted.
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

func (s *Store) ModelHash() string { return s.manifest.Load().Model }

func (s *Store) ChunkerVersion() string { return s.manifest.Load().Chunker }

type Searcher func(ctx context.Context, q vector.Query) ([]VectorHit, error)

func TableName(corpus api.Corpus) string { return layouts[corpus].tables[0] }
