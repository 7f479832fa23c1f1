package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/memory"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/store"
)

const (
	// batchChunks is the maximum number of chunks in a commit. With 4,000, the text index takes a fifth less CPU time
	// than with 1,000.
	batchChunks = 4000
	// batchBytes is the maximum size of the text in a commit. With 4 MB, indexing takes up to 160 MB more memory and a
	// tenth more time, because the garbage collector has more to do.
	batchBytes = 2 << 20
	// The last commits of an update contain at most minBatchBytes of text.
	minBatchBytes = 1 << 20
	// batchEvery is the maximum time between two commits. Searches can find new files after a commit.
	batchEvery = time.Second
)

// outcome is the result of reading a file. Only one of skip, unchanged, file, err and gone is set.
type outcome struct {
	path      string
	corpus    api.Corpus
	stamp     policy.Stamp
	skip      api.Reason
	unchanged bool
	file      store.FileChunks
	partial   api.Partial // describes the part of the file that was not indexed
	err       error
	locked    bool
	gone      bool
}

type textStats struct {
	files, chunks int
	removed       int
	skipped       api.Skipped // files that were skipped because of their content
	unreadable    []string
}

// commitChanges commits changes to st in batches. If paused returns true, it commits the files already read and returns
// errPaused. It calls onFile after each file. Calls of onFile are never concurrent.
func (a *Actor) commitChanges(ctx context.Context, st *store.Store, changes scan.Changes, paused func() bool,
	onFile func()) (textStats, error) {
	stats := textStats{skipped: api.Skipped{}}
	if err := a.removePaths(ctx, st, changes.Removed, &stats); err != nil {
		return stats, err
	}
	if len(changes.Changed) == 0 {
		return stats, nil
	}
	if len(changes.Changed) >= manyFiles {
		defer memory.CollectMoreOften()()
	} else {
		defer memory.LimitGrowth(memory.Headroom)()
	}

	readers := max(1, a.threads()/a.divisor())
	if readers == runtime.GOMAXPROCS(0) {
		readers += extraReaders
	}
	results := make(chan outcome, 4*readers)
	g, gctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	var stopped atomic.Bool
	var busy sync.WaitGroup
	for range readers {
		busy.Add(1)
		g.Go(func() error {
			defer busy.Done()
			for i := next.Add(1) - 1; int(i) < len(changes.Changed); i = next.Add(1) - 1 {
				if paused() {
					stopped.Store(true)
					return nil
				}
				select {
				case results <- a.readFile(gctx, st, changes.Changed[i]):
				case <-gctx.Done():
					return context.Cause(gctx)
				}
			}
			return nil
		})
	}
	g.Go(func() error { busy.Wait(); close(results); return nil })
	// collect fills a batch while another one is committed.
	batches := make(chan *commitBatch)
	left := int64(0)
	for _, f := range changes.Changed {
		left += f.Stamp.Size
	}
	g.Go(func() error { defer close(batches); return a.collect(gctx, st, left, results, batches, &stats, onFile) })
	g.Go(func() error {
		for b := range batches {
			if err := a.commit(gctx, st, b, &stats); err != nil {
				return err
			}
		}
		return nil
	})
	err := g.Wait()
	// Don't compute vectors earlier, because the model takes half of the CPU.
	a.wakeVectors()
	if err != nil {
		return stats, fmt.Errorf("index files: %w", err)
	}
	if stopped.Load() {
		return stats, errPaused
	}
	return stats, nil
}

func (a *Actor) threads() int {
	cores := runtime.GOMAXPROCS(0)
	if n := a.opt.Threads(); n > 0 {
		return min(n, cores)
	}
	return cores
}

// extraReaders is the number of goroutines that read files, in addition to one per core, because some wait for parsers.
// A first build takes 6 % less time.
const extraReaders = 2

// Updates of more files use memory.CollectMoreOften, which takes 10 % more time. For 10,000 files, memory.LimitGrowth
// takes a third more.
const manyFiles = 3000

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
	if err := a.omitted.setPartial(nil, paths); err != nil {
		return err
	}
	if len(byCorpus) > 0 {
		a.wakeVectors() // delete the vectors of these files
	}
	return nil
}

func (a *Actor) readFile(ctx context.Context, st *store.Store, f scan.File) outcome {
	path, tree := f.Path, a.tree.Load()
	o := outcome{path: path, corpus: tree.Corpus(path), stamp: f.Stamp}
	if o.corpus == api.CorpusDocs && !tree.docs {
		o.skip = api.SkipDocsOff
		return o
	}
	data, stamp, reason, err := tree.Read(path)
	o.stamp, o.locked = stamp, errors.Is(err, policy.ErrLocked)
	switch {
	case errors.Is(err, fs.ErrNotExist), api.CodeOf(err) == api.FileNotFound:
		o.gone = true
		return o
	case err != nil && reason == api.SkipNone:
		o.err = fmt.Errorf("read %s: %w", path, err)
		return o
	case reason != api.SkipNone:
		o.skip = reason
		return o
	}
	hash := scan.Hash(data)
	if a.leftToShared(o.corpus, path, hash) {
		o.skip, o.file.Hash = api.SkipShared, hash
		return o
	}
	if old, ok := st.Fingerprint(o.corpus, path); ok && old == hash && !a.forceReindex.Load() && !a.omitted.waits(path) {
		o.unchanged = true
		return o
	}
	chunks, info, err := a.opt.Chunker.Chunk(ctx, path, o.corpus, data, hash)
	if err != nil {
		o.err = fmt.Errorf("chunk %s: %w", path, err)
		return o
	}
	if plain := plainFor[info.Reason]; info.CutFrom > 0 || info.Replaced > 0 || info.Guessed != "" || plain != "" {
		o.partial = api.Partial{Path: path, CutFrom: info.CutFrom, Replaced: info.Replaced, Guessed: info.Guessed,
			Plain: plain}
	}
	o.file = store.FileChunks{Path: path, Hash: hash, Stamp: stamp, Chunks: chunks}
	return o
}

var plainFor = map[chunk.Reason]api.Plain{chunk.ReasonSkipped: api.PlainCrash, chunk.ReasonAway: api.PlainAway}

type commitBatch struct {
	files      map[api.Corpus][]store.FileChunks
	touch      map[string]store.Stamp
	disallowed []string // indexed files that must be removed from the index
	partial    []api.Partial
	complete   []string
	chunks     int
	bytes      int
	began      time.Time
}

func newCommitBatch() *commitBatch {
	return &commitBatch{files: map[api.Corpus][]store.FileChunks{}, touch: map[string]store.Stamp{}, began: time.Now()}
}

// ready reports whether the batch must be committed. left is the size in bytes of the files that have not been read.
// The last batches are smaller, so that cores don't wait for the last commit (guided self-scheduling, Polychronopoulos
// and Kuck, 1987).
func (b *commitBatch) ready(divisor int, left int64) bool {
	most := min(batchBytes, max(minBatchBytes, int(left)))
	return b.chunks >= batchChunks/divisor || b.bytes >= most/divisor ||
		(b.chunks > 0 && time.Since(b.began) >= batchEvery)
}

// collect collects the results of reading files in batches. left is the size in bytes of the files to read.
func (a *Actor) collect(ctx context.Context, st *store.Store, left int64, results <-chan outcome,
	batches chan<- *commitBatch, stats *textStats, onFile func()) error {
	send := func(b *commitBatch) error {
		select {
		case batches <- b:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	b := newCommitBatch()
	for o := range results {
		left -= o.stamp.Size
		if o.locked {
			a.locked.add(o.path)
		}
		switch {
		case o.err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(o.err, syscall.ENOMEM):
			return o.err // the caller retries all files
		case o.err != nil:
			a.log.Warn("file not indexed", "path", o.path, "err", o.err)
			stats.skipped[api.SkipUnreadable]++
			stats.unreadable = append(stats.unreadable, o.path)
		case o.gone: // the next scan removes the file from the index
		case o.skip != api.SkipNone:
			stats.skipped[o.skip]++
			if o.skip == api.SkipUnreadable {
				// Keep the file in the index, because the file still exists.
				stats.unreadable = append(stats.unreadable, o.path)
				break
			}
			if o.stamp != (policy.Stamp{}) {
				a.omitted.put(o.path, o.stamp, o.skip, o.file.Hash)
			}
			if _, known := st.CorpusOf(o.path); known {
				b.disallowed = append(b.disallowed, o.path)
			}
		case o.unchanged:
			b.touch[o.path] = o.stamp
		default:
			if o.partial.Path != "" {
				a.log.Info("file indexed in part", "path", o.path, "note", o.partial.InWords())
				b.partial = append(b.partial, o.partial)
			} else {
				b.complete = append(b.complete, o.path)
			}
			b.files[o.corpus] = append(b.files[o.corpus], o.file)
			b.chunks += len(o.file.Chunks)
			for _, c := range o.file.Chunks {
				b.bytes += len(c.Text)
			}
		}
		onFile()
		if b.ready(a.divisor(), left) {
			if err := send(b); err != nil {
				return err
			}
			b = newCommitBatch()
		}
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return send(b)
}

func (a *Actor) commit(ctx context.Context, st *store.Store, b *commitBatch, stats *textStats) error {
	if err := a.omitted.setPartial(b.partial, b.complete); err != nil {
		return err
	}
	for _, c := range api.Corpora {
		files := b.files[c]
		if len(files) == 0 {
			continue
		}
		if err := a.checkFree(int64(b.bytes), true); err != nil {
			return err
		}
		if err := st.Put(ctx, c, files); err != nil {
			return fmt.Errorf("commit %d files: %w", len(files), err)
		}
		stats.files += len(files)
		for _, f := range files {
			for _, c := range f.Chunks {
				if c.EndLine > 0 { // a chunk that describes a whole file is not counted
					stats.chunks++
				}
			}
			a.omitted.forget(f.Path)
		}
	}
	if len(b.touch) > 0 {
		if err := st.Touch(b.touch); err != nil {
			return fmt.Errorf("note unchanged files: %w", err)
		}
	}
	return a.removePaths(ctx, st, b.disallowed, stats)
}
