package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/chunk"
	"searchmcp/engine/machine"
	"searchmcp/engine/memory"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
	"searchmcp/engine/store"
)

// A commit of the text phase holds at most this much. With 4,000 chunks the text index takes a fifth less processor time
// than with 1,000, for it has fewer segments to merge; 4 MB, which 4,000 chunks of most projects have, bounds the memory where chunks are
// larger: what is analysed and written takes twenty times its text meanwhile; a second keeps what a search sees close behind the work.
const (
	batchChunks = 4000
	batchBytes  = 4 << 20
	batchEvery  = time.Second
)

// outcome is what reading one file came to: exactly one of skip, same, file or err says so.
type outcome struct {
	path   string
	corpus api.Corpus
	stamp  policy.Stamp
	skip   api.Reason
	same   bool
	file   store.FileChunks
	note   string // what the chunker left out, for the log
	err    error
}

// textStats is what one text phase did.
type textStats struct {
	files, chunks int // committed
	removed       int
	skipped       api.Skipped // found only by opening the file
	unreadable    []string
}

// commitChanges brings the text indexes and fingerprints of st up to changes. It reads and chunks on all cores, commits
// in batches, and leaves st consistent whenever it stops. When rest says so it reads no further file, commits those that
// were read and returns errPaused. tick is called after each file from one goroutine.
func (a *Actor) commitChanges(ctx context.Context, st *store.Store, changes scan.Changes, rest func() bool, tick func(path string)) (textStats, error) {
	stats := textStats{skipped: api.Skipped{}}
	if err := a.removePaths(ctx, st, changes.Removed, &stats); err != nil {
		return stats, err
	}
	if len(changes.Changed) == 0 {
		return stats, nil
	}
	if len(changes.Changed) >= manyFiles {
		defer memory.Tighten()()
	}

	readers := max(1, a.threads()/a.share())
	feed := make(chan scan.File)
	// A small buffer is enough to keep readers busy while a batch is being committed and bounds what is in memory.
	results := make(chan outcome, 4*readers)
	g, gctx := errgroup.WithContext(ctx)
	rested := false // written by the first goroutine, read when all have ended
	g.Go(func() error {
		defer close(feed)
		for _, f := range changes.Changed {
			if rested = rest(); rested {
				return nil
			}
			select {
			case feed <- f:
			case <-gctx.Done():
				return context.Cause(gctx)
			}
		}
		return nil
	})
	var busy sync.WaitGroup
	for range readers {
		busy.Add(1)
		g.Go(func() error {
			defer busy.Done()
			if len(changes.Changed) >= manyFiles {
				a.yield()
			}
			for f := range feed {
				select {
				case results <- a.readFile(gctx, st, f):
				case <-gctx.Done():
					return context.Cause(gctx)
				}
			}
			return nil
		})
	}
	g.Go(func() error { busy.Wait(); close(results); return nil })
	// One batch is committed while the next is filled: a commit waits for the disk, and the cores are not to.
	batches := make(chan *batch)
	g.Go(func() error { defer close(batches); return a.collect(gctx, st, results, batches, &stats, tick) })
	g.Go(func() error {
		for b := range batches {
			if err := a.flush(gctx, st, b, &stats); err != nil {
				return err
			}
		}
		return nil
	})
	err := g.Wait()
	// Only now: what a person waits for first is text, and the model would take half of the machine from it.
	a.wakeVectors()
	if err != nil {
		return stats, fmt.Errorf("index files: %w", err)
	}
	if rested {
		return stats, errPaused
	}
	return stats, nil
}

// threads is how many files are read at once: one a core, unless a person set a lower limit.
func (a *Actor) threads() int {
	cores := runtime.GOMAXPROCS(0)
	if a.opt.Threads != nil {
		if n := a.opt.Threads(); n > 0 {
			return min(n, cores)
		}
	}
	return cores
}

// manyFiles is from when on reading them is background work: a handful that a person has just saved is read at full priority, and
// a thread of its own for each reader would cost more than reading them.
const manyFiles = 200

// yield gives the calling goroutine a thread of low priority, which ends with it.
func (a *Actor) yield() {
	runtime.LockOSThread()
	if err := machine.LowerPriority(); err != nil {
		a.log.Debug("priority of a reader not lowered", "err", err)
	}
}

func (a *Actor) removePaths(ctx context.Context, st *store.Store, paths []string, stats *textStats) error {
	byCorpus := map[api.Corpus][]string{}
	for _, p := range paths {
		if c, ok := st.CorpusOf(p); ok {
			byCorpus[c] = append(byCorpus[c], p)
		}
	}
	for c, ps := range byCorpus {
		if err := st.Remove(ctx, c, ps); err != nil {
			return fmt.Errorf("remove files: %w", err)
		}
		stats.removed += len(ps)
	}
	if len(byCorpus) > 0 {
		a.wakeVectors() // their vectors go with the lane's next look
	}
	return nil
}

// readFile reads, hashes and chunks one file.
func (a *Actor) readFile(ctx context.Context, st *store.Store, f scan.File) outcome {
	path, tree := f.Path, a.tree.Load()
	o := outcome{path: path, corpus: tree.Corpus(path), stamp: f.Stamp}
	if o.corpus == api.CorpusDocs && !tree.docs {
		o.skip = api.SkipDocsOff
		return o
	}
	data, stamp, reason, err := tree.Read(path)
	o.stamp = stamp
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.skip = api.SkipUnreadable // gone between scan and read; the watcher or the next scan sees the removal
		return o
	case err != nil && reason == api.SkipNone:
		o.err = fmt.Errorf("read %s: %w", path, err)
		return o
	case reason != api.SkipNone:
		o.skip = reason
		return o
	}
	hash := scan.Hash(data)
	if a.inShared(o.corpus, path, hash) {
		o.skip, o.file.Hash = api.SkipShared, hash
		return o
	}
	if old, ok := st.Fingerprint(o.corpus, path); ok && old == hash && !a.refresh.Load() {
		o.same = true
		return o
	}
	chunks, info, err := a.opt.Chunker.Chunk(ctx, path, o.corpus, data, hash)
	if err != nil {
		o.err = fmt.Errorf("chunk %s: %w", path, err)
		return o
	}
	o.note = leftOut(info)
	o.file = store.FileChunks{Path: path, Hash: hash, Stamp: store.Stamp(stamp), Chunks: chunks}
	return o
}

// leftOut says in words what of a file is not in its chunks as it stands, "" if all of it is.
func leftOut(i chunk.Info) string {
	var parts []string
	if i.CutFrom > 0 {
		parts = append(parts, fmt.Sprintf("lines from %d on are left out: more than %d chunks", i.CutFrom, chunk.MaxChunks))
	}
	if i.Replaced > 0 {
		parts = append(parts, fmt.Sprintf("%d bytes that are not UTF-8 were replaced", i.Replaced))
	}
	return strings.Join(parts, "; ")
}

// batch gathers what one commit will write.
type batch struct {
	files  map[api.Corpus][]store.FileChunks
	touch  map[string]store.Stamp
	gone   []string // known paths that policy or their content no longer allows
	chunks int
	bytes  int
	began  time.Time
}

func newBatch() *batch {
	return &batch{files: map[api.Corpus][]store.FileChunks{}, touch: map[string]store.Stamp{}, began: time.Now()}
}

// full says that a batch is to be committed; share divides its size.
func (b *batch) full(share int) bool {
	return b.chunks >= batchChunks/share || b.bytes >= batchBytes/share ||
		(b.chunks > 0 && time.Since(b.began) >= batchEvery)
}

// collect sorts outcomes into batches. Of stats it counts what is skipped, flush what is committed.
func (a *Actor) collect(ctx context.Context, st *store.Store, results <-chan outcome, batches chan<- *batch, stats *textStats, tick func(string)) error {
	hand := func(b *batch) error {
		select {
		case batches <- b:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	b := newBatch()
	for o := range results {
		switch {
		case o.err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case o.err != nil:
			// One file that cannot be read or chunked must not end the run; it is counted and named.
			a.log.Warn("file not indexed", "path", o.path, "err", o.err)
			stats.skipped[api.SkipUnreadable]++
			stats.unreadable = append(stats.unreadable, o.path)
		case o.skip != api.SkipNone:
			stats.skipped[o.skip]++
			if o.skip == api.SkipUnreadable {
				// What was indexed before stays: unreadable is not deleted.
				stats.unreadable = append(stats.unreadable, o.path)
				break
			}
			if o.stamp != (policy.Stamp{}) { // the content decided, not the path
				a.skips.put(o.path, o.stamp, o.skip, o.file.Hash)
			}
			if _, known := st.CorpusOf(o.path); known {
				b.gone = append(b.gone, o.path)
			}
		case o.same:
			b.touch[o.path] = store.Stamp(o.stamp)
		default:
			if o.note != "" {
				a.log.Info("file indexed in part", "path", o.path, "note", o.note)
			}
			b.files[o.corpus] = append(b.files[o.corpus], o.file)
			b.chunks += len(o.file.Chunks)
			for _, c := range o.file.Chunks {
				b.bytes += len(c.Text)
			}
		}
		tick(o.path)
		if b.full(a.share()) {
			if err := hand(b); err != nil {
				return err
			}
			b = newBatch()
		}
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return hand(b)
}

// flush commits a batch.
func (a *Actor) flush(ctx context.Context, st *store.Store, b *batch, stats *textStats) error {
	for _, c := range api.Corpora {
		files := b.files[c]
		if len(files) == 0 {
			continue
		}
		if err := a.room(int64(b.bytes)); err != nil {
			return err
		}
		if err := st.Put(ctx, c, files); err != nil {
			return fmt.Errorf("commit %d files: %w", len(files), err)
		}
		stats.files += len(files)
		for _, f := range files {
			stats.chunks += len(f.Chunks)
			a.skips.forget(f.Path)
		}
	}
	if len(b.touch) > 0 {
		if err := st.Touch(b.touch); err != nil {
			return fmt.Errorf("note unchanged files: %w", err)
		}
	}
	if err := a.removePaths(ctx, st, b.gone, stats); err != nil {
		return err
	}
	return nil
}
