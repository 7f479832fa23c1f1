package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// Limits above which a vector table is compacted. An update of a table with 10,000 rows took 56 ms of CPU time with 110
// fragments and deletion files, and 133 ms with 410.
const (
	extraFragments = 100 // limit for fragments and deletion files together
	extraVersions  = 400
)

type thresholds struct{ fragments, versions int }

var compactionLimits = thresholds{extraFragments, extraVersions}

func (s *Store) NeedsCompaction() bool { return s.some((*corpus).fragmented) }

func (s *Store) some(f func(*corpus) bool) bool {
	if !s.handles.rlock() {
		return false
	}
	defer s.handles.RUnlock()
	return slices.ContainsFunc(api.Corpora, func(name api.Corpus) bool { return f(s.corpora[name]) })
}

func (c *corpus) fragmented() bool {
	if c.vectorErr != nil {
		return false
	}
	shape, err := c.vectors.Shape()
	if err != nil {
		c.log.Warn("shape of vector table not read", "err", err)
		return false
	}
	if shape.Unsketched {
		return true // Compact creates the missing sketch
	}
	c.mu.RLock()
	chunks := c.chunks
	c.mu.RUnlock()
	return tooMany(shape, chunks)
}

func tooMany(shape vector.Shape, rows int) bool {
	needed := rows/addBatch + 1
	// Rows may have been added in batches of addBatch/4.
	return shape.Fragments+shape.Deletions > compactionLimits.fragments+4*needed*shape.Tables ||
		shape.Versions > compactionLimits.versions+8*needed
}

// Compact rewrites fragmented vector tables with only their current rows. Searches and commits continue, but PutVectors
// waits.
func (s *Store) Compact(ctx context.Context) error {
	return s.compactAll(ctx, (*corpus).fragmented)
}

func (s *Store) NeedsPurge() bool {
	return s.some(func(c *corpus) bool {
		n, err := c.text.Deleted()
		return err == nil && n > 0 || c.hasDeleted() || c.staticRemoved()
	})
}

// Purge removes deleted and changed text from disk. Searches and commits continue.
func (s *Store) Purge(ctx context.Context) error {
	if err := s.purgeTexts(ctx); err != nil {
		return s.apiError(fmt.Errorf("purge text index: %w", err), 0)
	}
	for _, c := range s.corpora {
		if err := s.purgeStatic(c); err != nil {
			return err
		}
	}
	return s.compactAll(ctx, (*corpus).hasDeleted)
}

func (s *Store) purgeTexts(ctx context.Context) error {
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	for _, c := range s.corpora {
		if err := c.text.Purge(ctx); err != nil {
			return c.damage(PartText, err)
		}
	}
	return nil
}

// hasDeleted reports whether c's vector tables contain deleted rows. Each deletion adds a version, but no fragment.
func (c *corpus) hasDeleted() bool {
	if c.vectorErr != nil {
		return false
	}
	shape, err := c.vectors.Shape()
	return err == nil && (shape.Deletions > 0 || shape.Versions > shape.Fragments+shape.Tables)
}

func (s *Store) compactAll(ctx context.Context, due func(*corpus) bool) error {
	for _, name := range api.Corpora {
		if err := s.compact(ctx, s.corpora[name], due); err != nil {
			return s.apiError(fmt.Errorf("compact vectors of %s: %w", name, err), 0)
		}
	}
	return nil
}

func (s *Store) compact(ctx context.Context, c *corpus, due func(*corpus) bool) (err error) {
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	dir := filepath.Join(s.dir, compactDir)
	built, err := s.rewrite(ctx, c, dir, due)
	if err != nil || !built {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return s.swapVectors(ctx, c)
}

// rewrite builds a new vector table for c in dir, unless due(c) is false. The caller must hold c.vectorWriter.
func (s *Store) rewrite(ctx context.Context, c *corpus, dir string, due func(*corpus) bool) (built bool, err error) {
	if !s.handles.rlock() {
		return false, ErrClosed
	}
	defer s.handles.RUnlock()
	if !due(c) || s.otherModel() {
		return false, nil
	}
	if err := c.deriveMissing(ctx); err != nil {
		return false, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return false, fmt.Errorf("remove unfinished table: %w", err)
	}
	next, err := s.opt.Tables.Open(ctx, filepath.Join(dir, c.layout.vectors), c.tables...)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, next.Close()) }()
	for paths := range c.batches(c.paths(), addBatch) {
		if err := s.copyVectors(ctx, c, next, paths); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (s *Store) copyVectors(ctx context.Context, c *corpus, next *vector.Table, paths []string) error {
	found, err := c.liveChunks(ctx, paths, c.hasVector)
	if err != nil {
		return err
	}
	vectors, err := s.vectorsOf(ctx, c, found)
	if err != nil {
		return c.damage(PartVectors, err)
	}
	rows := make([]vector.Row, 0, len(found))
	for id, ch := range found {
		if v, ok := vectors[id]; ok { // a chunk without a vector is embedded again
			rows = append(rows, vector.RowOf(&ch, v))
		}
	}
	return next.Add(ctx, rows)
}

// hasVector reports whether c's vector table contains the chunk with key k. The caller must hold c.mu.
func (c *corpus) hasVector(k text.Key) bool {
	m, missing := c.missing.files[k.Path]
	return !c.stale[k.Path] && (!missing || m.embedded.has(k.ID()))
}

func (s *Store) vectorsOf(ctx context.Context, c *corpus, chunks map[string]api.Chunk) (map[string]api.Vector, error) {
	out, rest := make(map[string]api.Vector, len(chunks)), slices.Collect(maps.Keys(chunks))
	if s.opt.Cache != nil && s.opt.Input != nil && s.opt.ModelHash != "" {
		inputs := make([]string, len(rest))
		for i, id := range rest {
			inputs[i] = s.opt.Input(chunks[id])
		}
		known, err := s.opt.Cache.Get(ctx, s.opt.ModelHash, inputs)
		if err != nil {
			c.log.Warn("vector cache not readable", "err", err)
		}
		for i, v := range known {
			out[rest[i]] = v
		}
		rest = slices.DeleteFunc(rest, func(id string) bool { _, ok := out[id]; return ok })
	}
	if len(rest) == 0 {
		return out, nil
	}
	found, err := c.vectors.Vectors(ctx, rest)
	maps.Copy(out, found)
	return out, err
}

// swapVectors replaces c's vector table with the table in compact/. The caller must hold c.vectorWriter.
func (s *Store) swapVectors(ctx context.Context, c *corpus) error {
	if !s.handles.lock() {
		return ErrClosed
	}
	defer func() { s.handles.unlock(!s.handlesOpen()) }()
	in := intent{From: compactDir, Move: []string{c.layout.vectors}}
	if c.vectors != nil {
		if err := c.vectors.Close(); err != nil {
			c.log.Warn("old vector table not closed", "err", err)
		}
	}
	err := s.writeIntent(in)
	if err == nil {
		err = s.applyIntent(in)
	}
	s.openVectors(context.WithoutCancel(ctx), c)
	return err
}
