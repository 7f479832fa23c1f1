package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/vector"
)

// Check compares the fingerprints, text index and vector table of each corpus, and changes nothing. Commits wait until
// Check returns, which takes a second per 100,000 chunks. Searches do not wait.
func (s *Store) Check(ctx context.Context) (CheckReport, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	r := CheckReport{Corpora: map[api.Corpus]CorpusCheck{}}
	for _, name := range api.Corpora {
		var err error
		if r.Corpora[name], err = s.checkCorpus(ctx, s.corpora[name]); err != nil {
			return r, s.apiError(fmt.Errorf("check %s corpus: %w", name, err), 0)
		}
	}
	code, docs := s.corpora[api.CorpusCode], s.corpora[api.CorpusDocs]
	r.InBothCorpora = docs.among(code.paths(), false)
	slices.Sort(r.InBothCorpora)
	return r, nil
}

// checkCorpus checks one corpus. The caller must hold Store.writer.
func (s *Store) checkCorpus(ctx context.Context, c *corpus) (out CorpusCheck, err error) {
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return out, ErrClosed
	}
	defer s.handles.RUnlock()
	a, err := c.audit(ctx, c.hashes())
	if err != nil {
		return out, c.damage(PartText, err)
	}
	slices.Sort(a.withoutRows)
	out.NoRows, out.OrphanRows = a.withoutRows, len(a.orphans)-a.orphanUnits
	if c.vectorErr != nil {
		out.VectorProblem = c.vectorErr.Error()
		return out, nil
	}
	rows := tableRows{}
	if err := c.vectors.Keys(ctx, func(k vector.Key) bool { rows.add(k); return true }); err != nil {
		out.VectorProblem = err.Error()
		return out, context.Cause(ctx)
	}
	for p, r := range rows {
		if e, ok := a.entries[p]; !ok || !r.fit(e) {
			out.OrphanVectors += len(r.ids)
		}
	}
	return out, nil
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

// Repair reopens the index, which removes the inconsistencies that r reports. If a vector table cannot be read, Repair
// returns INDEX_CORRUPT, and the caller then calls Quarantine.
func (s *Store) Repair(ctx context.Context, r CheckReport) error {
	if err := s.Checkpoint(); err != nil {
		return err
	}
	return s.exclusively(func() error {
		if err := errors.Join(s.closeCorpora(), s.reopen(ctx)); err != nil {
			return fmt.Errorf("repair index: %w", err)
		}
		for name, check := range r.Corpora {
			c := s.corpora[name]
			if c.vectorErr != nil {
				continue
			}
			err := c.deleteStaleVectors(ctx)
			if check.VectorProblem != "" && err == nil {
				err = c.vectors.Keys(ctx, func(vector.Key) bool { return true })
			}
			if err != nil {
				return fmt.Errorf("repair %s corpus: %w", name, c.damage(PartVectors, err))
			}
		}
		return nil
	})
}
