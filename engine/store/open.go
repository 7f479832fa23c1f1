package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

func (s *Store) openCorpus(ctx context.Context, c *corpus) error {
	var err error
	if c.text, err = text.Open(ctx, c.path(c.layout.text)); err != nil {
		return c.damage(PartText, err)
	}
	var loaded files.Loaded
	lost := false
	if c.prints, loaded, err = files.OpenFingerprints(c.dir, c.fingerprints); errors.Is(err, files.ErrDamaged) {
		c.log.Warn("fingerprints not readable, quarantined and rebuilt from the text index", "err", err)
		if err := quarantine(c.dir, c.fingerprints); err != nil {
			return err
		}
		lost = true
		c.prints, loaded, err = files.OpenFingerprints(c.dir, c.fingerprints)
	}
	if err != nil {
		return err
	}
	if loaded.Torn || loaded.Corrupt {
		c.log.Info("fingerprints repaired", "torn", loaded.Torn, "corrupt", loaded.Corrupt)
	}
	if lost {
		if err := c.rebuildHashes(ctx, loaded.Hashes); err != nil {
			return err
		}
	}
	if err := c.load(ctx, loaded.Hashes); err != nil {
		return c.damage(PartText, err)
	}
	if lost {
		if err := c.checkpoint(); err != nil {
			return err
		}
	}
	s.openVectors(ctx, c)
	s.openStatic(c)
	return nil
}

// load reads the entries of c. It removes fingerprints without rows, and rows without a fingerprint.
func (c *corpus) load(ctx context.Context, hashes map[string]files.Hash) error {
	a, err := c.audit(ctx, hashes)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.entries, c.chunks, c.outlines = a.entries, a.chunks, a.outlines
	c.mu.Unlock()
	if len(a.withoutRows) > 0 {
		// Put writes rows before fingerprints, so only damage can cause this.
		c.log.Warn("fingerprints without rows dropped", "files", len(a.withoutRows))
		if err := c.prints.Append(nil, a.withoutRows); err != nil {
			return err
		}
	}
	if len(a.orphans) > 0 {
		c.log.Info("rows without fingerprint removed", "rows", len(a.orphans))
		if err := c.text.Apply(ctx, text.Change{Delete: a.orphans}); err != nil {
			return err
		}
	}
	return nil
}

type audit struct {
	entries     map[string]entry
	chunks      int
	outlines    int
	withoutRows []string
	orphans     []text.Key
	orphanUnits int
}

func (c *corpus) audit(ctx context.Context, hashes map[string]files.Hash) (audit, error) {
	a := audit{entries: make(map[string]entry, len(hashes))}
	for p, h := range hashes {
		a.entries[p] = entry{hash: h}
	}
	langs := map[string]string{}
	err := c.text.Keys(ctx, func(k text.Key) {
		e, ok := a.entries[k.Path]
		if !ok || !e.hash.HasPrefix(k.Hash) {
			a.orphans = append(a.orphans, k)
			if k.IsUnit() {
				a.orphanUnits++
			}
			return
		}
		switch {
		case k.IsUnit():
		case !k.IsChunk():
			e.marker = true
		default:
			if _, ok := langs[k.Language]; !ok {
				langs[k.Language] = k.Language
			}
			e.chunks, e.lang = e.chunks+1, langs[k.Language]
			a.chunks++
			if k.IsOutline() {
				e.outline = true
				a.outlines++
			}
		}
		a.entries[k.Path] = e
	})
	if err != nil {
		return a, fmt.Errorf("compare fingerprints with text index: %w", err)
	}
	for p, e := range a.entries {
		if e.chunks == 0 && !e.marker {
			a.withoutRows = append(a.withoutRows, p)
			delete(a.entries, p)
		}
	}
	return a, nil
}

// rebuildHashes restores lost fingerprints from the rows of the text index. A file whose rows have different content
// hashes is indexed again.
func (c *corpus) rebuildHashes(ctx context.Context, hashes map[string]files.Hash) error {
	type found struct{ short, id string }
	rows := map[string]found{}
	err := c.text.Keys(ctx, func(k text.Key) {
		if f, ok := rows[k.Path]; ok && f.short != k.Hash {
			rows[k.Path] = found{}
		} else if !k.IsUnit() && !ok {
			rows[k.Path] = found{k.Hash, k.ID()}
		}
	})
	if err != nil {
		return fmt.Errorf("recover fingerprints: %w", err)
	}
	var ids []string
	for _, f := range rows {
		if f.id != "" {
			ids = append(ids, f.id)
		}
	}
	for len(ids) > 0 {
		n := min(len(ids), copyBatch)
		chunks, err := c.text.Chunks(ctx, ids[:n])
		if err != nil {
			return fmt.Errorf("recover fingerprints: %w", err)
		}
		ids = ids[n:]
		for _, ch := range chunks {
			if h, ok := files.ParseHash(ch.ContentHash); ok {
				hashes[ch.Path] = h
			}
		}
	}
	return nil
}

const copyBatch = 1000

// openVectors opens c's vector table and finds the chunks without a vector. The caller must hold c.vectorWriter, except
// while the store is being opened.
func (s *Store) openVectors(ctx context.Context, c *corpus) {
	var t *vector.Table
	err := ErrNoVectors
	if !s.opt.NoVectors {
		if t, err = s.opt.Tables.Open(ctx, c.path(c.layout.vectors), c.tables...); err != nil {
			err = c.damage(PartVectors, err)
			c.log.Warn("vectors not usable", "err", err)
		}
	}
	c.mu.Lock()
	c.vectors, c.vectorErr = t, err
	c.markAllMissing()
	c.missingKnown = false
	c.mu.Unlock()
	if err != nil {
		return
	}
	if err := c.deriveMissing(ctx); err != nil {
		c.log.Warn("missing vectors not known yet", "err", err)
	}
}

// markAllMissing records that no chunk has a vector. The caller must hold c.mu.
func (c *corpus) markAllMissing() {
	c.missing = missingFiles{}
	for p, e := range c.entries {
		if e.chunks > 0 {
			c.missing.set(p, missingFile{chunks: e.chunks})
		}
	}
	clear(c.stale)
	c.queue, c.missingKnown = nil, true
}

// resolveDuplicatePaths removes the files that are in both corpora after a crash. They are indexed again.
func (s *Store) resolveDuplicatePaths(ctx context.Context) error {
	code, docs := s.corpora[api.CorpusCode], s.corpora[api.CorpusDocs]
	both := docs.among(code.paths(), false)
	if len(both) == 0 {
		return nil
	}
	s.log.Info("files in both corpora are indexed again", "files", len(both))
	for _, c := range s.corpora {
		if err := s.removeFrom(ctx, c, both); err != nil {
			return err
		}
	}
	return nil
}

func quarantine(dir, name string) error {
	from, to := filepath.Join(dir, name), filepath.Join(dir, name+".bak")
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("remove older backup: %w", err)
	}
	if err := files.Rename(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("quarantine %s: %w", name, err)
	}
	return files.SyncDir(dir)
}

// Quarantine renames the damaged part of a closed index to .bak and returns the new names. Open recreates the part. If
// cause is not a *Damage, the whole index is renamed.
func Quarantine(dir string, cause error) ([]string, error) {
	var names []string
	var d *Damage
	switch {
	case !errors.As(cause, &d):
		names = append(names, intentName)
		for _, name := range api.Corpora {
			names = append(names, layouts[name].names()...)
		}
	case d.Part == PartVectors:
		names = []string{layouts[d.Corpus].vectors}
	default:
		l := layouts[d.Corpus]
		names = []string{l.text, l.fingerprints, files.JournalName(l.fingerprints)}
	}
	var moved []string
	for _, n := range names {
		if _, err := os.Lstat(filepath.Join(dir, n)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := quarantine(dir, n); err != nil {
			return moved, err
		}
		moved = append(moved, n+".bak")
	}
	return moved, nil
}
