package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/sketch"
)

// layout contains a corpus's file names in the project's folder (RFC 3.1). The text index, the journal and the static
// vectors are our additions.
type layout struct {
	text, vectors, fingerprints, static string
	// tables are the tables of vectors. The second has the files' outlines (chunk.outline), because the RFC's table
	// contains only chunks (3.2).
	tables []string
}

var layouts = map[api.Corpus]layout{
	api.CorpusCode: {"index.bleve", "index.lancedb", "fingerprints.json", "static", []string{"project_docs", "outlines"}},
	api.CorpusDocs: {"docs.bleve", "docs.lancedb", "docs-fingerprints.json", "docs-static",
		[]string{"project_docs_prose"}},
}

func (l layout) names() []string {
	return []string{l.text, l.vectors, l.fingerprints, files.JournalName(l.fingerprints), l.static}
}

type entry struct {
	hash    files.Hash
	stamp   Stamp
	checked time.Time
	chunks  int  // rows without the marker
	outline bool // chunks includes the file's outline
	marker  bool
	lang    string
}

type missingFile struct {
	chunks   int
	embedded idSet
}

// missingFiles contains the files that have chunks without a vector, and the number of these chunks.
type missingFiles struct {
	files  map[string]missingFile
	chunks int
}

func (m *missingFiles) set(path string, f missingFile) {
	m.delete(path)
	if m.files == nil {
		m.files = map[string]missingFile{}
	}
	m.files[path] = f
	m.chunks += f.chunks - len(f.embedded)
}

func (m *missingFiles) delete(path string) {
	f := m.files[path]
	m.chunks -= f.chunks - len(f.embedded)
	delete(m.files, path)
}

// embed records that the chunk id has a vector, and reports whether it was the last of its file.
func (m *missingFiles) embed(path, id string) (last bool) {
	f := m.files[path]
	m.delete(path)
	if f.embedded == nil {
		f.embedded = make(idSet, f.chunks)
	}
	f.embedded.add(id)
	if len(f.embedded) >= f.chunks {
		return true
	}
	m.set(path, f)
	return false
}

// idSet is a set of hashed ids, which take a fifth of the memory of the ids. A project may have a million chunks.
type idSet map[uint64]struct{}

func (s idSet) has(id string) bool {
	_, ok := s[hashID(id)]
	return ok
}

func (s idSet) add(id string) { s[hashID(id)] = struct{}{} }

func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	return h.Sum64()
}

// The handles of a corpus are replaced only under the write lock of Store.handles.
type corpus struct {
	name api.Corpus
	dir  string
	layout
	log *slog.Logger

	text      *text.Index
	vectors   *vector.Table
	vectorErr error // also written under mu, because counts reads it
	prints    *files.Fingerprints

	vectorWriter sync.Mutex // locked by the writer of vectors
	static       sync.Mutex // locked by quick's writer during its writes, after vectorWriter

	mu           sync.RWMutex // guards the fields below; a leaf
	entries      map[string]entry
	chunks       int
	outlines     int
	missing      missingFiles
	missingKnown bool // false after an error, until deriveMissing
	// quick contains the static vectors. It is nil if they are disabled or unusable. quickPaths contains the paths
	// whose static vectors are all in quick.
	quick      *sketch.Sketch
	quickPaths map[string]bool
	// stale contains paths whose vector rows must be deleted before new rows are added.
	stale map[string]bool
	// unclean contains paths that may have stale text rows after a failed write.
	unclean map[string]bool
	// preferred maps a path found by a search to a number, which is higher for later searches.
	preferred map[string]uint64
	preferSeq uint64
	queue     []string // sorted paths of missing; nil: must be sorted

	sortedPaths atomic.Pointer[[]string] // all paths; nil: must be sorted
}

func newCorpus(name api.Corpus, dir string, log *slog.Logger) *corpus {
	return &corpus{
		name: name, dir: dir, layout: layouts[name], log: log.With("corpus", string(name)),
		entries: map[string]entry{}, stale: map[string]bool{}, unclean: map[string]bool{},
		preferred: map[string]uint64{}, quickPaths: map[string]bool{},
	}
}

func (c *corpus) path(name string) string { return filepath.Join(c.dir, name) }

func (c *corpus) damage(part Part, err error) error {
	if errors.Is(err, text.ErrNewer) {
		return err
	}
	if errors.Is(err, text.ErrCorrupt) || errors.Is(err, vector.ErrCorrupt) || errors.Is(err, files.ErrDamaged) {
		return &Damage{Corpus: c.name, Part: part, Err: err}
	}
	return err
}

func (c *corpus) current(path, contentHash string) bool {
	h, ok := files.ParseHash(contentHash)
	if !ok {
		return false
	}
	c.mu.RLock()
	e, ok := c.entries[path]
	c.mu.RUnlock()
	return ok && e.hash == h
}

func (c *corpus) currentKey(k text.Key) bool {
	c.mu.RLock()
	e, ok := c.entries[k.Path]
	c.mu.RUnlock()
	return ok && e.hash.HasPrefix(k.Hash)
}

func (c *corpus) entry(path string) (entry, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.entries[path]
	return e, ok
}

func (c *corpus) paths() []string {
	if p := c.sortedPaths.Load(); p != nil {
		return *p
	}
	c.mu.RLock()
	list := slices.Sorted(maps.Keys(c.entries))
	c.sortedPaths.Store(&list) // stored while c.mu is locked, so that a later commit resets it
	c.mu.RUnlock()
	return list
}

// batches yields paths in batches, each but the last with at least the given number of chunks.
func (c *corpus) batches(paths []string, chunks int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for len(paths) > 0 {
			n, have := 0, 0
			for ; n < len(paths) && have < chunks; n++ {
				e, _ := c.entry(paths[n])
				have += e.chunks
			}
			if !yield(paths[:n]) {
				return
			}
			paths = paths[n:]
		}
	}
}

func (c *corpus) set(path string, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(path)
	c.entries[path] = e
	c.chunks += e.chunks
	if e.outline {
		c.outlines++
	}
	if e.chunks > 0 {
		c.missing.set(path, missingFile{chunks: e.chunks})
		c.queue = nil
	}
	delete(c.unclean, path)
	c.sortedPaths.Store(nil)
}

func (c *corpus) remove(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(path)
	c.sortedPaths.Store(nil)
}

// forget removes path's entry and marks its vector rows as stale. The caller must hold c.mu.
func (c *corpus) forget(path string) {
	e, ok := c.entries[path]
	if !ok {
		return
	}
	delete(c.entries, path)
	c.chunks -= e.chunks
	if e.outline {
		c.outlines--
	}
	p, missing := c.missing.files[path]
	if e.chunks > 0 && (!missing || p.embedded != nil || !c.missingKnown) {
		c.stale[path] = true
	}
	if missing {
		c.missing.delete(path)
		c.queue = nil
	}
}

func (c *corpus) markUnclean(paths []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range paths {
		c.unclean[p] = true
	}
}

func (c *corpus) among(paths []string, unclean bool) (out []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, p := range paths {
		if _, ok := c.entries[p]; ok || unclean && c.unclean[p] {
			out = append(out, p)
		}
	}
	return out
}

// counts returns the numbers of files, chunks and vectors. Outlines are not counted, but each outline without a vector
// reduces vectors by one.
func (c *corpus) counts() (files, chunks, vectors int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	files, chunks = len(c.entries), c.chunks-c.outlines
	if c.vectorErr == nil {
		vectors = max(0, chunks-c.missing.chunks)
	}
	return files, chunks, vectors
}

// A file that changed within recentEdit is being edited. After a fresh clone this applies to every file, so the
// other criteria of order decide.
const recentEdit = time.Hour

// order returns the paths in c.missing. Files being edited come first, then files found by searches, then files by
// priority and newest change. The caller must hold c.vectorWriter. order sorts without c.mu, which searches need.
func (c *corpus) order(priority func(string) int) []string {
	type item struct {
		path      string
		recent    int
		preferred uint64
		priority  int
		changed   time.Time
	}
	since := time.Now().Add(-recentEdit)
	c.mu.Lock()
	if c.queue != nil {
		defer c.mu.Unlock()
		return c.queue
	}
	items := make([]item, 0, len(c.missing.files))
	for p := range c.missing.files {
		items = append(items, item{path: p, preferred: c.preferred[p], changed: c.entries[p].stamp.ModTime})
	}
	c.queue = []string{} // a concurrent change sets it to nil
	c.mu.Unlock()
	for i := range items {
		it := &items[i]
		if it.changed.After(since) {
			it.recent = 1
		}
		if priority != nil {
			it.priority = priority(it.path)
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(b.recent, a.recent), cmp.Compare(b.preferred, a.preferred),
			cmp.Compare(b.priority, a.priority),
			b.changed.Compare(a.changed), cmp.Compare(a.path, b.path))
	})
	queue := make([]string, len(items))
	for i, it := range items {
		queue[i] = it.path
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.queue != nil {
		c.queue = queue
	}
	return queue
}

func (c *corpus) close() error {
	var errs []error
	if c.text != nil {
		errs = append(errs, c.text.Close())
		c.text = nil
	}
	if c.vectors != nil {
		errs = append(errs, c.vectors.Close())
		c.vectors = nil
	}
	c.closeStatic()
	if c.prints != nil {
		errs = append(errs, c.prints.Close())
		c.prints = nil
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close %s corpus: %w", c.name, err)
	}
	return nil
}

func (c *corpus) checkpoint() error {
	return c.prints.Checkpoint(c.hashes())
}

func (c *corpus) stamp(path string, s files.CheckedStamp) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[path]; ok {
		e.stamp, e.checked = s.Stamp, s.At
		c.entries[path] = e
	}
}

// liveChunks returns the current chunks of paths whose keys want accepts. It calls want with c.mu locked.
func (c *corpus) liveChunks(ctx context.Context, paths []string,
	want func(text.Key) bool) (map[string]api.Chunk, error) {
	keys, err := c.text.KeysOf(ctx, paths)
	if err != nil {
		return nil, c.damage(PartText, err)
	}
	var ids []string
	c.mu.RLock()
	for _, k := range keys {
		if e, ok := c.entries[k.Path]; ok && e.hash.HasPrefix(k.Hash) && k.ID != "" && want(k) {
			ids = append(ids, k.ID)
		}
	}
	c.mu.RUnlock()
	found, err := c.currentChunks(ctx, ids)
	return found, c.damage(PartText, err)
}

func (c *corpus) currentChunks(ctx context.Context, ids []string) (map[string]api.Chunk, error) {
	found, err := c.text.Chunks(ctx, ids)
	maps.DeleteFunc(found, func(_ string, ch api.Chunk) bool { return !c.current(ch.Path, ch.ContentHash) })
	return found, err
}
