package store

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// Check compares the fingerprints, text index and vector table of each corpus without changing them. It blocks commits
// (for a second per 100,000 chunks) but not searches.
func (s *Store) Check(ctx context.Context) (CheckReport, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	r := CheckReport{Corpora: map[api.Corpus]CorpusCheck{}}
	for _, name := range api.Corpora {
		c := s.corpora[name]
		check, _, err := s.checkCorpus(ctx, c)
		if err != nil {
			return r, s.apiError(fmt.Errorf("check %s corpus: %w", name, err), 0)
		}
		r.Corpora[name] = check
	}
	code, docs := s.corpora[api.CorpusCode], s.corpora[api.CorpusDocs]
	r.InBothCorpora = docs.committedAmong(code.paths())
	slices.Sort(r.InBothCorpora)
	return r, nil
}

// checkCorpus requires Store.writer.
func (s *Store) checkCorpus(ctx context.Context, c *corpus) (CorpusCheck, audit, error) {
	var out CorpusCheck
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return out, audit{}, ErrClosed
	}
	defer s.handles.RUnlock()
	a, err := c.audit(ctx, c.hashes())
	if err != nil {
		return out, a, c.damage(PartText, err)
	}
	slices.Sort(a.withoutRows)
	out = CorpusCheck{Files: len(a.entries), Chunks: a.chunks - a.outlines, NoRows: a.withoutRows,
		OrphanRows: len(a.orphans) - a.orphanUnits}
	if c.vectorErr != nil {
		out.VectorProblem, out.MissingVectors = c.vectorErr.Error(), a.chunks
		return out, a, nil
	}
	rows := tableRows{}
	err = c.vectors.Keys(ctx, func(k vector.Key) bool { rows.add(k); return true })
	if err != nil && ctx.Err() != nil {
		return out, a, context.Cause(ctx)
	}
	if err != nil {
		out.VectorProblem, out.MissingVectors = err.Error(), a.chunks
		return out, a, nil
	}
	have := 0
	for p, r := range rows {
		if e, ok := a.entries[p]; ok && r.fit(e) {
			have += len(r.ids)
		} else {
			out.OrphanVectors += len(r.ids)
		}
	}
	out.MissingVectors = a.chunks - have
	return out, a, nil
}

func (c *corpus) hashes() map[string]files.Hash {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make(map[string]files.Hash, len(c.entries))
	for p, e := range c.entries {
		out[p] = e.hash
	}
	return out
}

// Repair checks again, unless r is clean. It removes fingerprints without rows (whose files then count as new), rows
// without a fingerprint, and paths in both corpora. If a vector table cannot be read, it returns INDEX_CORRUPT, for
// Quarantine.
func (s *Store) Repair(ctx context.Context, r CheckReport) error {
	if r.Clean() {
		return nil
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	for _, name := range api.Corpora {
		if err := s.repairCorpus(ctx, s.corpora[name]); err != nil {
			return s.apiError(fmt.Errorf("repair %s corpus: %w", name, err), 0)
		}
	}
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	return s.apiError(s.resolveDuplicatePaths(ctx), 0)
}

func (s *Store) repairCorpus(ctx context.Context, c *corpus) error {
	_, a, err := s.checkCorpus(ctx, c)
	if err != nil {
		return err
	}
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	if err := s.removeFrom(ctx, c, a.withoutRows); err != nil {
		return err
	}
	if err := c.text.Apply(ctx, text.Change{Delete: a.orphans}); err != nil {
		return c.damage(PartText, err)
	}
	if c.vectorErr != nil {
		return nil
	}
	c.mu.Lock()
	c.missingKnown = false
	c.mu.Unlock()
	if err := c.deriveMissing(ctx); err != nil {
		return c.damage(PartVectors, err)
	}
	return c.deleteStaleVectors(ctx)
}
