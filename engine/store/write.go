package store

import (
	"context"
	"fmt"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
)

// journalLimit is the size in bytes above which a commit empties the journal. Reading such a journal takes 0.1 s.
const journalLimit = 16 << 20

// Put commits the files in list. After a crash, either all of them are committed or none. A file in the other corpus
// moves to this corpus.
func (s *Store) Put(ctx context.Context, corpus api.Corpus, list []FileChunks) error {
	c := s.corpora[corpus]
	if len(list) == 0 {
		return nil
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	p, err := newPutContent(list)
	if err != nil {
		return fmt.Errorf("put files: %w", err)
	}
	if err := s.commit(ctx, c, p); err != nil {
		return s.apiError(fmt.Errorf("put %d files: %w", len(list), err), p.bytes*diskPerByte)
	}
	return nil
}

// diskPerByte is the disk space in bytes needed per byte of text while the text index writes and merges it.
const diskPerByte = 4

// ReadMargin is the assumed maximum time from reading a file to its commit. Files modified during this time are hashed
// again (like "racy" index entries in git).
const ReadMargin = 5 * time.Second

type putContent struct {
	files  []FileChunks
	paths  []string
	hashes map[string]files.Hash
	bytes  int64
}

func newPutContent(list []FileChunks) (putContent, error) {
	p := putContent{hashes: make(map[string]files.Hash, len(list))}
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
			if ch.Path != f.Path || ch.ContentHash != f.Hash || ch.ID != api.ChunkID(ch.Path, ch.ContentHash, ch.Ordinal) {
				return p, fmt.Errorf("chunk %q of %s does not belong to it", ch.ID, f.Path)
			}
			p.bytes += int64(len(ch.Text))
		}
		p.files, p.paths, p.hashes[f.Path] = append(p.files, f), append(p.paths, f.Path), h
	}
	return p, nil
}

// commit adds p to c. The caller must hold Store.writer and the read lock of Store.handles.
func (s *Store) commit(ctx context.Context, c *corpus, p putContent) error {
	same, stale, err := c.existingRows(ctx, p)
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
	crashPoint("rows")
	if err := c.prints.Append(p.hashes, nil); err != nil {
		c.markUnclean(p.paths)
		return err
	}
	crashPoint("fingerprints")
	now := time.Now()
	replaced := c.among(p.paths, false)
	for _, f := range p.files {
		e := entry{hash: p.hashes[f.Path], stamp: f.Stamp, checked: now.Add(-ReadMargin), chunks: len(f.Chunks),
			marker: len(f.Chunks) == 0}
		for _, ch := range f.Chunks {
			e.lang, e.outline = ch.Language, e.outline || ch.EndLine == 0
		}
		c.set(f.Path, e)
	}
	s.lastCommit.Store(now.UnixNano())
	// The commit is durable now. If a later step fails, a later commit or Open repeats it.
	cleanup := context.WithoutCancel(ctx)
	if len(stale) > 0 {
		if err := c.text.Apply(cleanup, text.Change{Delete: stale}); err != nil {
			c.markUnclean(p.paths)
			c.log.Warn("stale rows not removed", "rows", len(stale), "err", err)
		}
	}
	crashPoint("stale rows")
	c.dropStatic(replaced)
	if err := s.addStatic(c, p.files); err != nil {
		c.log.Warn("static vectors are made later", "err", err)
	}
	crashPoint("static rows")
	for _, other := range s.corpora {
		if other != c {
			if err := s.removeFrom(cleanup, other, other.among(p.paths, false)); err != nil {
				return err
			}
		}
	}
	if c.prints.JournalSize() > journalLimit {
		if err := c.checkpoint(); err != nil {
			c.log.Warn("checkpoint failed", "err", err)
		}
	}
	return nil
}

// existingRows returns the rows of p's files: those with the new content hash, and those with another.
func (c *corpus) existingRows(ctx context.Context, p putContent) (replaced, outdated []text.Key, err error) {
	touched := c.among(p.paths, true)
	if len(touched) == 0 {
		return nil, nil, nil
	}
	keys, err := c.text.KeysOf(ctx, touched)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range keys {
		if p.hashes[k.Path].HasPrefix(k.Hash) {
			replaced = append(replaced, k)
		} else {
			outdated = append(outdated, k)
		}
	}
	return replaced, outdated, nil
}

// Remove removes the fingerprints of paths, and then their rows. It ignores unknown paths.
func (s *Store) Remove(ctx context.Context, corpus api.Corpus, paths []string) error {
	c := s.corpora[corpus]
	s.writer.Lock()
	defer s.writer.Unlock()
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	if err := s.removeFrom(ctx, c, c.among(paths, false)); err != nil {
		return s.apiError(fmt.Errorf("remove %d files: %w", len(paths), err), 0)
	}
	return nil
}

// removeFrom removes paths from c. The caller must hold Store.writer and the read lock of Store.handles, except while
// the store is being opened.
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
	crashPoint("removed")
	for _, p := range paths {
		c.remove(p)
	}
	c.dropStatic(paths)
	s.lastCommit.Store(time.Now().UnixNano())
	cleanup := context.WithoutCancel(ctx)
	keys, err := c.text.KeysOf(cleanup, paths)
	if err == nil {
		err = c.text.Apply(cleanup, text.Change{Delete: keys})
	}
	if err != nil {
		c.markUnclean(paths)
		c.log.Warn("rows of removed files not removed", "files", len(paths), "err", err)
	}
	return nil
}

// Touch records new sizes and times of files whose content has not changed. After a crash, these files may be hashed
// again.
func (s *Store) Touch(stamps map[string]Stamp) error {
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	now := time.Now().Add(-ReadMargin)
	for _, c := range s.corpora {
		for p, st := range stamps {
			c.stamp(p, files.CheckedStamp{Stamp: st, At: now})
		}
	}
	return nil
}

// crashPoint is called between the steps of a commit. Tests replace it to simulate crashes.
var crashPoint = func(string) {}
