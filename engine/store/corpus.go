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

// layout contains the names of a corpus's files.
type layout struct {
	text, vectors, fingerprints, static string
	// tables are the names of the LanceDB tables. The second one contains outlines (summaries of files).
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
	chunks  int // number of chunks, including the outline
	outline bool
	marker  bool // the file has no chunks, only a marker row in the text index
	lang    string
}

type missingFile struct {
	chunks   int
	embedded idSet
}

// missingFiles contains the files that have chunks without a vector.
type missingFiles struct {
	files  map[string]missingFile
	chunks int // number of chunks without a vector
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

// embed records that a chunk has a vector. It returns true if all chunks of the file have vectors now.
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

// idSet is a set of chunk ids. Storing only their hashes needs a fifth of the memory.
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

// corpus contains the open files of a corpus. The fields text, vectors and prints are replaced only under the write
// lock of Store.handles.
type corpus struct {
	name api.Corpus
	dir  string
	layout
	log *slog.Logger

	text      *text.Index
	vectors   *vector.Table
	vectorErr error // why vectors is unusable, or nil; also guarded by mu
	prints    *files.Fingerprints

	vectorWriter sync.Mutex // locked while vectors is written
	static       sync.Mutex // locked while quick is written

	mu           sync.RWMutex // guards the fields below
	entries      map[string]entry
	chunks       int
	outlines     int
	missing      missingFiles
	missingKnown bool // false if deriveMissing must compute missing
	// quick contains vectors computed without the embedding model. It is nil if they are disabled or unusable.
	quick *sketch.Sketch
	// quickPaths contains the files whose chunks are all in quick.
	quickPaths map[string]bool
	// stale contains files whose old vectors must be deleted before new vectors are added.
	stale map[string]bool
	// unclean contains files that may have old rows in the text index after a failed write.
	unclean map[string]bool
	// preferred contains files found by searches. A higher number means a later search.
	preferred map[string]uint64
	preferSeq uint64
	queue     []string // cached result of order, or nil

	sortedPaths atomic.Pointer[[]string] // cached result of paths, or nil
}

func newCorpus(name api.Corpus, dir string, log *slog.Logger) *corpus {
	c := &corpus{name: name, dir: dir, layout: layouts[name], log: log.With("corpus", string(name)),
		quickPaths: map[string]bool{}}
	c.reset()
	return c
}

func (c *corpus) path(name string) string { return filepath.Join(c.dir, name) }

func (c *corpus) damage(part Part, err error) error {
	if errors.Is(err, text.ErrCorrupt) || errors.Is(err, vector.ErrCorrupt) || errors.Is(err, files.ErrDamaged) {
		return &Damage{Corpus: c.name, Part: part, Err: err}
	}
	return err
}

func (c *corpus) current(path, contentHash string) bool {
	h, valid := files.ParseHash(contentHash)
	e, ok := c.entry(path)
	return valid && ok && e.hash == h
}

func (c *corpus) currentKey(k text.Key) bool {
	e, ok := c.entry(k.Path)
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
	c.sortedPaths.Store(&list) // must be stored before c.mu is unlocked, because the next commit resets sortedPaths
	c.mu.RUnlock()
	return list
}

// batches splits paths into batches with at least the given number of chunks. The last batch may be smaller.
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

// forget removes path from c and marks its vectors for deletion. The caller must hold c.mu.
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

func (c *corpus) counts() (files, chunks, vectors int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	files, chunks = len(c.entries), c.chunks-c.outlines
	if c.vectorErr == nil {
		vectors = max(0, chunks-c.missing.chunks)
	}
	return files, chunks, vectors
}

// recentEdit is the time after a change during which a file gets vectors before other files.
const recentEdit = time.Hour

// order returns the files that need vectors, the most urgent first: recently changed files, then files found by
// searches, then files by priority and newest change. The caller must hold c.vectorWriter.
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
	c.queue = []string{} // a change during the sort resets c.queue to nil
	c.mu.Unlock()        // searches must not wait for the sort
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

// liveChunks returns the current chunks of paths, by id, except chunks that admit rejects. admit must not lock c.mu.
func (c *corpus) liveChunks(ctx context.Context, paths []string,
	admit func(text.Key) bool) (map[string]api.Chunk, error) {
	keys, err := c.text.KeysOf(ctx, paths)
	if err != nil {
		return nil, c.damage(PartText, err)
	}
	var ids []string
	c.mu.RLock()
	for _, k := range keys {
		if e, ok := c.entries[k.Path]; ok && e.hash.HasPrefix(k.Hash) && k.IsChunk() && admit(k) {
			ids = append(ids, k.ID())
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
