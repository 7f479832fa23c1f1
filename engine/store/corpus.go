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

// layout has file names in the project's folder (RFC 3.1). Text index, journal and static vectors are our additions.
type layout struct {
	text, vectors, table, fingerprints, static string
}

var layouts = map[api.Corpus]layout{
	api.CorpusCode: {"index.bleve", "index.lancedb", "project_docs", "fingerprints.json", "static"},
	api.CorpusDocs: {"docs.bleve", "docs.lancedb", "project_docs_prose", "docs-fingerprints.json", "docs-static"},
}

func (l layout) names() []string {
	return []string{l.text, l.vectors, l.fingerprints, files.JournalName(l.fingerprints), l.static}
}

type entry struct {
	hash    files.Hash
	stamp   Stamp
	checked time.Time
	chunks  int    // rows without the marker
	outline bool   // chunks includes the file's outline
	ids     uint64 // sum of the hashes of the chunk ids
	marker  bool
	lang    string
}

type missingFile struct {
	chunks   int
	embedded idSet
}

// missingFiles have chunks without a vector, which it counts.
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

// embed reports whether it was the file's last chunk without a vector.
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

// idSet hashes ids, for a fifth of the memory. A project may have a million chunks.
type idSet map[uint64]struct{}

func (s idSet) has(id string) bool {
	_, ok := s[hashID(id)]
	return ok
}

func (s idSet) add(id string) { s[hashID(id)] = struct{}{} }

// corpus's handles are replaced only under the write lock of Store.handles.
type corpus struct {
	name api.Corpus
	dir  string
	layout
	log *slog.Logger

	text      *text.Index
	vectors   vector.Table
	vectorErr error // written with mu locked too, because counts reads it
	prints    *files.Fingerprints

	vectorWriter sync.Mutex // locked by the writer of vectors
	static       sync.Mutex // locked by quick's writer, after vectorWriter and during writes

	mu           sync.RWMutex // guards the fields below; a leaf
	entries      map[string]entry
	chunks       int
	outlines     int // included in chunks
	missing      missingFiles
	missingKnown bool
	estimate     int // rows of the table at Open, for counts without missingKnown
	// quick has the static vectors, unless disabled. All static vectors of quickPaths are in it; exact while quickKnown
	// is true.
	quick      *sketch.Sketch
	quickPaths map[string]bool
	quickKnown bool
	// stale paths' vector rows must be deleted before new ones are added.
	stale map[string]bool
	// unclean paths may have stale text rows after a failed write.
	unclean map[string]bool
	// preferred has the number of the search that found a path.
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

// hashID is for entry.ids. Sets of ids with equal sums and counts are assumed to be equal.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	return h.Sum64()
}

// current checks M2.
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

// currentKey checks a key's prefix of the hash.
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
	c.sortedPaths.Store(&list) // with c.mu locked, so that a later commit resets it
	c.mu.RUnlock()
	return list
}

// batches has at least the given number of chunks in each but the last.
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

// forget marks path's vector rows as stale. It requires c.mu.
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

func (c *corpus) mayHaveRows(paths []string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []string
	for _, p := range paths {
		if _, ok := c.entries[p]; ok || c.unclean[p] {
			out = append(out, p)
		}
	}
	return out
}

// counts omits outlines, but each outline without a vector reduces vectors by one.
func (c *corpus) counts() (files, chunks, vectors int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	files, chunks = len(c.entries), c.chunks-c.outlines
	switch {
	case c.vectorErr != nil:
	case c.missingKnown:
		vectors = max(0, chunks-c.missing.chunks)
	default:
		vectors = max(0, min(c.estimate-c.outlines, chunks))
	}
	return files, chunks, vectors
}

// Requires c.mu.
func (c *corpus) idSum() (sum uint64) {
	for _, e := range c.entries {
		sum += e.ids
	}
	return sum
}

// recentEdit: after a fresh clone every file is that recent, so order's other criteria decide.
const recentEdit = time.Hour

// order returns the paths in c.missing, some of which may have their vectors: files being edited first, then files
// found by searches; among equals, by priority, then newest first. It requires vectorWriter and sorts without c.mu,
// which searches need.
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
	errs = append(errs, c.closeStatic())
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

// liveChunks reads current chunks by id, if want accepts their keys. want is called with c.mu locked.
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
	found, err := c.text.Chunks(ctx, ids)
	if err != nil {
		return nil, c.damage(PartText, err)
	}
	maps.DeleteFunc(found, func(_ string, ch api.Chunk) bool { return !c.current(ch.Path, ch.ContentHash) })
	return found, nil
}
