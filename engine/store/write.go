package store

import (
	"context"
	"fmt"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
)

// journalLimit is when a commit folds the journal by itself: replaying this much takes Open a tenth of a second.
const journalLimit = 16 << 20

// Put commits files: their chunks become durable in the text index, then their fingerprints (the commit), then the rows of their
// former content go. It returns when they can be searched by text; their vectors are missing from then on. Files are committed
// together or, after an error, not at all. A path that the other corpus names moves over.
func (s *Store) Put(ctx context.Context, corpus api.Corpus, list []FileChunks) error {
	c, ok := s.corpora[corpus]
	if !ok {
		return fmt.Errorf("put files: unknown corpus %q", corpus)
	}
	if len(list) == 0 {
		return nil
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	p, err := newPut(list)
	if err != nil {
		return fmt.Errorf("put files: %w", err)
	}
	if err := s.put(ctx, c, p); err != nil {
		return s.typed(fmt.Errorf("put %d files: %w", len(list), err), p.bytes*diskPerByte)
	}
	return nil
}

// diskPerByte is what a byte of text takes on disk while it is written and merged, at most.
const diskPerByte = 4

// readAhead is how long before its commit a file may have been read: so much is taken off the time at which it counts as looked
// at, since a change after the reading must not hide behind a coarse clock.
const readAhead = 5 * time.Second

// put is the content of one commit; of a path given twice, the last counts.
type put struct {
	files  []FileChunks
	paths  []string
	hashes map[string]files.Hash
	bytes  int64
}

func newPut(list []FileChunks) (put, error) {
	p := put{hashes: make(map[string]files.Hash, len(list))}
	last := make(map[string]int, len(list))
	for i, f := range list {
		last[f.Path] = i
	}
	for i, f := range list {
		if last[f.Path] != i {
			continue
		}
		h, ok := files.ParseHash(f.Hash)
		if !ok || f.Path == "" {
			return p, fmt.Errorf("path %q with hash %q", f.Path, f.Hash)
		}
		for _, ch := range f.Chunks {
			if ch.Path != f.Path || ch.ContentHash != f.Hash || ch.ID == "" {
				return p, fmt.Errorf("chunk %q of %s does not belong to it", ch.ID, f.Path)
			}
			p.bytes += int64(len(ch.Text))
		}
		p.files, p.paths, p.hashes[f.Path] = append(p.files, f), append(p.paths, f.Path), h
	}
	return p, nil
}

// put writes one commit; the writer's lock and the gate are held.
func (s *Store) put(ctx context.Context, c *corpus, p put) error {
	same, former, err := c.leftover(ctx, p)
	if err != nil {
		return c.damage(PartText, err)
	}
	change := text.Change{Delete: same}
	for _, f := range p.files {
		change.Rows = append(change.Rows, f.Chunks...)
		if len(f.Chunks) == 0 {
			change.Markers = append(change.Markers, text.Key{Path: f.Path, Hash: text.ShortHash(f.Hash)})
		}
	}
	if err := c.text.Apply(ctx, change); err != nil {
		c.markUnclean(p.paths)
		return c.damage(PartText, err)
	}
	step("rows")
	if err := c.prints.Append(p.hashes, nil); err != nil {
		c.markUnclean(p.paths)
		return err
	}
	step("fingerprints")
	now := time.Now()
	for _, f := range p.files {
		e := entry{hash: p.hashes[f.Path], stamp: f.Stamp, checked: now.Add(-readAhead), chunks: len(f.Chunks), marker: len(f.Chunks) == 0}
		for _, ch := range f.Chunks {
			e.ids, e.lang = e.ids+sumOf(ch.ID), ch.Language
		}
		c.set(f.Path, e)
	}
	s.committed.Store(now.UnixNano())
	// The commit stands. What follows only tidies up, and is done again by a later commit or Open if it fails.
	tidy := context.WithoutCancel(ctx)
	if len(former) > 0 {
		if err := c.text.Apply(tidy, text.Change{Delete: former}); err != nil {
			c.markUnclean(p.paths)
			c.log.Warn("rows of former content not removed", "rows", len(former), "err", err)
		}
	}
	step("former rows")
	for _, other := range s.corpora {
		if other != c {
			if err := s.removeFrom(tidy, other, other.known(p.paths)); err != nil {
				return err
			}
		}
	}
	if c.prints.JournalSize() > journalLimit {
		if err := c.fold(); err != nil {
			c.log.Warn("journal not folded", "err", err)
		}
	}
	return nil
}

// leftover finds the rows that are there of the paths of a commit: of the very content, which the commit replaces, and of others.
func (c *corpus) leftover(ctx context.Context, p put) (same, former []text.Key, err error) {
	touched := c.touched(p.paths)
	if len(touched) == 0 {
		return nil, nil, nil
	}
	keys, err := c.text.KeysOf(ctx, touched)
	if err != nil {
		return nil, nil, err
	}
	written := map[text.Key]bool{} // deleting and adding one key in a batch would leave it out
	for _, f := range p.files {
		for _, ch := range f.Chunks {
			written[text.KeyOf(ch)] = true
		}
		if len(f.Chunks) == 0 {
			written[text.Key{Path: f.Path, Hash: text.ShortHash(f.Hash)}] = true
		}
	}
	for _, k := range keys {
		switch {
		case !p.hashes[k.Path].Begins(k.Hash):
			former = append(former, k)
		case !written[k]:
			same = append(same, k)
		}
	}
	return same, former, nil
}

// known returns those paths that are committed in c.
func (c *corpus) known(paths []string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []string
	for _, p := range paths {
		if _, ok := c.entries[p]; ok {
			out = append(out, p)
		}
	}
	return out
}

// Remove takes files out: the fingerprints first, then the rows. Paths that are not there are ignored.
func (s *Store) Remove(ctx context.Context, corpus api.Corpus, paths []string) error {
	c, ok := s.corpora[corpus]
	if !ok {
		return fmt.Errorf("remove files: unknown corpus %q", corpus)
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	if err := s.removeFrom(ctx, c, c.known(paths)); err != nil {
		return s.typed(fmt.Errorf("remove %d files: %w", len(paths), err), 0)
	}
	return nil
}

// removeFrom needs the writer's lock and the gate, or a store that is being opened.
func (s *Store) removeFrom(ctx context.Context, c *corpus, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := c.prints.Append(nil, paths); err != nil {
		return err
	}
	step("removed")
	for _, p := range paths {
		c.remove(p)
	}
	s.committed.Store(time.Now().UnixNano())
	tidy := context.WithoutCancel(ctx)
	keys, err := c.text.KeysOf(tidy, paths)
	if err == nil {
		err = c.text.Apply(tidy, text.Change{Delete: keys})
	}
	if err != nil {
		c.markUnclean(paths)
		c.log.Warn("rows of removed files not removed", "files", len(paths), "err", err)
	}
	return nil
}

// Touch notes that files were looked at and hold what their fingerprints say. It is written with the next Fold; what a crash
// loses of it costs a hash.
func (s *Store) Touch(stamps map[string]Stamp) error {
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	now := time.Now().Add(-readAhead)
	for _, c := range s.corpora {
		for p, st := range stamps {
			c.stamp(p, files.Checked{Stamp: st, At: now})
		}
	}
	return nil
}

// step is where crash tests stop a commit.
var step = func(string) {}
