package store

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
)

// Check compares fingerprints, text index and vector table of both corpora in both directions. Commits wait for it (about a second
// for 100,000 chunks), searches do not. It changes nothing.
func (s *Store) Check(ctx context.Context) (CheckReport, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	r := CheckReport{Corpora: map[api.Corpus]CorpusCheck{}}
	for _, name := range api.Corpora {
		c := s.corpora[name]
		check, _, err := s.checkCorpus(ctx, c)
		if err != nil {
			return r, s.typed(fmt.Errorf("check %s corpus: %w", name, err), 0)
		}
		r.Corpora[name] = check
	}
	code, docs := s.corpora[api.CorpusCode], s.corpora[api.CorpusDocs]
	r.Doubled = docs.known(code.paths())
	slices.Sort(r.Doubled)
	return r, nil
}

// checkCorpus looks at one half with the writer's lock held.
func (s *Store) checkCorpus(ctx context.Context, c *corpus) (CorpusCheck, audit, error) {
	var out CorpusCheck
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.gate.enter() {
		return out, audit{}, ErrClosed
	}
	defer s.gate.leave()
	a, err := c.audit(ctx, c.hashes())
	if err != nil {
		return out, a, c.damage(PartText, err)
	}
	slices.Sort(a.holes)
	out = CorpusCheck{Files: len(a.entries), Chunks: a.chunks, NoRows: a.holes, OrphanRows: len(a.orphans)}
	if c.vectorErr != nil {
		out.VectorProblem, out.MissingVectors = c.vectorErr.Error(), a.chunks
		return out, a, nil
	}
	rows, err := c.scanVectors(ctx)
	if err != nil && ctx.Err() != nil {
		return out, a, context.Cause(ctx)
	}
	if err != nil {
		out.VectorProblem, out.MissingVectors = err.Error(), a.chunks
		return out, a, nil
	}
	have := 0
	for p, r := range rows {
		e, ok := a.entries[p]
		switch {
		case !ok || r.foreign || len(r.ids) > e.chunks || (len(r.ids) == e.chunks && r.sum != e.ids):
			out.OrphanVectors += len(r.ids)
		default:
			have += len(r.ids)
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

// Repair mends what Check reported: fingerprints without rows go, so that their files count as new; rows that nobody names go; paths that
// both corpora name leave both. It looks again rather than trust the report. A vector table that cannot be read is an INDEX_CORRUPT,
// and Backup's business.
func (s *Store) Repair(ctx context.Context, r CheckReport) error {
	if r.Clean() {
		return nil
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	for _, name := range api.Corpora {
		if err := s.repairCorpus(ctx, s.corpora[name]); err != nil {
			return s.typed(fmt.Errorf("repair %s corpus: %w", name, err), 0)
		}
	}
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	return s.typed(s.settleDoubled(ctx), 0)
}

func (s *Store) repairCorpus(ctx context.Context, c *corpus) error {
	_, a, err := s.checkCorpus(ctx, c)
	if err != nil {
		return err
	}
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	if err := s.removeFrom(ctx, c, a.holes); err != nil {
		return err
	}
	if err := c.text.Apply(ctx, text.Change{Delete: a.orphans}); err != nil {
		return c.damage(PartText, err)
	}
	if c.vectorErr != nil {
		return nil
	}
	c.mu.Lock()
	c.derived = false
	c.mu.Unlock()
	if err := c.derive(ctx); err != nil {
		return c.damage(PartVectors, err)
	}
	return c.dropStale(ctx)
}
