package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
)

var (
	ErrClosed  = errors.New("text index is closed")
	ErrCorrupt = errors.New("text index is damaged")
	ErrLocked  = errors.New("text index is open in another process")

	errSuspended = errors.New("text index is suspended")
)

const (
	lockTimeout = 3 * time.Second // how long Open waits for another process to close the index
	rootFile    = "root.bolt"     // scorch's list of segments
)

// Index is the text index of a corpus. Its methods may run concurrently, but only one may write at a time.
type Index struct {
	dir   string
	queue *index.AnalysisQueue

	// mu guards idx, broken, tried and closed.
	mu     sync.RWMutex
	idx    index.Index // nil or read-only if broken is not nil
	broken error       // why the index could not be opened again, or errSuspended
	tried  time.Time
	closed bool

	failedWrite atomic.Bool // a batch of the current change failed

	// alive is cancelled after a panic of scorch's background work. Then the index can only be closed.
	alive context.Context
	kill  context.CancelCauseFunc

	scratch    sync.Pool
	tokenizers sync.Pool // of batches
}

// Open opens or creates the index in dir. If dir can't be written, searches work, and Apply opens the index again.
func Open(ctx context.Context, dir string) (*Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of text index: %w", err)
	}
	x := &Index{dir: dir, queue: index.NewAnalysisQueue(1)}
	x.alive, x.kill = context.WithCancelCause(context.Background())
	x.scratch.New = func() any { return new(accumulator) }
	x.tokenizers.New = func() any { return new(Tokenizer) }
	open.Store(dir, x)
	if err := x.reopen(ctx); x.idx == nil {
		open.Delete(dir)
		x.queue.Close()
		return nil, fmt.Errorf("open text index: %w", err)
	}
	return x, nil
}

func (x *Index) open(ctx context.Context, readOnly bool) (index.Index, error) {
	if err := verify(ctx, x.dir, errors.Is(x.broken, errSuspended)); err != nil {
		return nil, err
	}
	if !readOnly {
		if err := unseal(x.dir); err != nil {
			return nil, err
		}
	}
	idx, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   x.dir,
		"read_only":              readOnly,
		"bolt_timeout":           lockTimeout.String(),
		"asyncErrorCallbackName": callback,
		"scorchMergePlanOptions": map[string]any{"FloorSegmentSize": floorSegment},
	}, x.queue)
	if err != nil {
		return nil, err
	}
	if err := idx.Open(); err != nil {
		return nil, openError(err)
	}
	return idx, nil
}

const floorSegment = 1000 // merging treats smaller segments as segments with this number of rows

func openError(err error) error {
	err = systemError(err)
	switch {
	case strings.Contains(err.Error(), "timeout"):
		return fmt.Errorf("%w: %w", ErrLocked, err)
	case api.Unwritable(err), api.TooManyFiles(err):
		return err
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

// Close waits for background work and closes the files.
func (x *Index) Close() error {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return nil
	}
	x.closed = true
	x.mu.Unlock()
	open.Delete(x.dir)
	var err error
	if x.idx != nil {
		if err = x.closeIndex(x.idx); err == nil && x.broken == nil {
			err = seal(x.dir)
		}
	}
	x.queue.Close()
	return err
}

// Suspend closes the files, whose pages otherwise stay in memory, unless scorch is still merging them. The next call
// opens them again. Suspend reports whether the files are closed. It must not run during another call.
func (x *Index) Suspend() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	idx, ok := x.idx.(*scorch.Scorch)
	if !ok || x.broken != nil || x.dead() != nil {
		return true
	}
	stats := idx.Stats().(*scorch.Stats) // scorch returns no other type
	if atomic.LoadUint64(&stats.LastMergedEpoch) != atomic.LoadUint64(&stats.LastPersistedEpoch) {
		return false
	}
	x.idx, x.tried = nil, time.Time{}
	if x.broken = x.closeIndex(idx); x.broken == nil {
		x.broken = cmp.Or(seal(x.dir), errSuspended)
	}
	return true
}

// Close waits for a running merge, which takes some seconds. After a panic in background work, closing may block
// forever.
const (
	closeTimeout     = time.Minute
	closeTimeoutDead = 2 * time.Second
)

// closeIndex closes idx, but does not wait forever.
func (x *Index) closeIndex(idx index.Index) error {
	done := make(chan error, 1)
	go func() { done <- x.guard("close text index", idx.Close) }()
	died, late := x.alive.Done(), time.After(closeTimeout)
	for {
		select {
		case err := <-done:
			return err
		case <-died:
			died, late = nil, time.After(closeTimeoutDead)
		case <-late:
			return fmt.Errorf("close text index: %w: %w", ErrCorrupt,
				cmp.Or(context.Cause(x.alive), context.DeadlineExceeded))
		}
	}
}

func (x *Index) dead() error {
	if err := context.Cause(x.alive); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

// write calls f. If scorch's background work panics, write returns without waiting for f.
func (x *Index) write(op string, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- x.guard(op, f) }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s: %w", op, systemError(err))
		}
		return nil
	case <-x.alive.Done():
		return fmt.Errorf("%s: %w", op, x.dead())
	}
}

func (x *Index) reader() (*scorch.IndexSnapshot, error) {
	x.mu.RLock()
	closed := x.idx == nil
	x.mu.RUnlock()
	if closed {
		if err := x.ready(); err != nil {
			return nil, fmt.Errorf("read text index: %w", err)
		}
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	switch {
	case x.closed:
		return nil, ErrClosed
	case x.idx == nil: // closed or broken in the meantime
		return nil, fmt.Errorf("read text index: %w", x.broken)
	}
	if err := x.dead(); err != nil {
		return nil, fmt.Errorf("read text index: %w", err)
	}
	r, err := x.idx.Reader()
	if err != nil {
		return nil, fmt.Errorf("read text index: %w", err)
	}
	return r.(*scorch.IndexSnapshot), nil // scorch returns no other type
}

// guard converts a panic of the library in f to ErrCorrupt.
func (x *Index) guard(op string, f func() error) (err error) {
	// Otherwise, a wrong offset in a damaged file would end the process.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			x.kill(fmt.Errorf("%s: %v", op, p))
			err = fmt.Errorf("%s: %w: %v", op, ErrCorrupt, p)
		}
	}()
	return f()
}

// Change is the input of Apply. All rows of a file become durable together or not at all, if Apply deletes any rows or
// the file has less than fileTokens words.
type Change struct {
	Rows    []api.Chunk
	Markers []Key // files without chunks; only Path and Hash are used
	Delete  []Key // rows to delete, except those that Rows and Markers write again
}

const minBatch = 250 // minimum number of chunks for which another core builds a segment

// fileTokens is the number of different words in the units of a file after which a batch ends within this file. Each
// word takes up to 1 KB of memory until the batch is written.
const fileTokens = 1 << 15

// Apply makes a change durable. It divides a large change into batches, which half of the cores write. All rows of a
// file are in one batch, except those of a large new file.
func (x *Index) Apply(ctx context.Context, c Change) error {
	if len(c.Rows)+len(c.Markers)+len(c.Delete) == 0 {
		return nil
	}
	if err := x.ready(); err != nil {
		return fmt.Errorf("write text index: %w", err)
	}
	err := x.apply(ctx, c)
	if x.failedWrite.Swap(false) {
		// Reopening drops the segments of the failed write.
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.closed {
			return err
		}
		if rerr := x.reopen(context.WithoutCancel(ctx)); rerr != nil {
			return fmt.Errorf("%w (and opening it again: %w)", err, rerr)
		}
	}
	return err
}

const retryOpen = time.Second // time between two attempts to reopen an index

// ready reopens an index after a failed write, because the disk may be writable again.
func (x *Index) ready() error {
	x.mu.RLock()
	broken, wait := x.broken, time.Since(x.tried) < retryOpen
	x.mu.RUnlock()
	if broken == nil || wait || errors.Is(broken, ErrCorrupt) {
		return broken
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.broken == nil || x.closed: // another call has reopened the index
	case x.idx != nil && !writable(x.dir):
		x.tried = time.Now() // readers still use x.idx
	default:
		return x.reopen(context.Background())
	}
	return x.broken
}

func writable(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, rootFile), os.O_RDWR, 0)
	return err == nil && f.Close() == nil
}

// reopen opens the index again. If the index cannot be written, reopen opens it read-only and returns the reason. The
// caller must hold x.mu.
func (x *Index) reopen(ctx context.Context) error {
	x.tried = time.Now()
	if idx := x.idx; idx != nil {
		x.idx = nil
		if x.broken = x.closeIndex(idx); x.broken != nil {
			return x.broken
		}
	}
	open := func(readOnly bool) error {
		return x.guard("open text index", func() (err error) {
			x.idx, err = x.open(ctx, readOnly)
			return err
		})
	}
	if x.broken = open(false); api.Unwritable(x.broken) {
		x.broken = errors.Join(x.broken, open(true))
	}
	x.tried = time.Now()
	return x.broken
}

func (x *Index) apply(ctx context.Context, c Change) error {
	groups := split(c.Rows, max(1, min(runtime.GOMAXPROCS(0)/2, maxBatches, len(c.Rows)/minBatch)))
	batches := make([]*index.Batch, len(groups))
	groupOf := map[string]int{}
	for i, files := range groups {
		batches[i] = index.NewBatch()
		for _, file := range files {
			groupOf[file[0].Path] = i
		}
	}
	for _, k := range c.Delete { // an Update of the same row later in the batch replaces the deletion
		batches[groupOf[k.Path]].Delete(k.String())
	}
	for _, k := range c.Markers {
		batches[0].Update(newMarker(k.Path, k.Hash))
	}
	g, gctx := errgroup.WithContext(ctx)
	for i, files := range groups {
		g.Go(func() error {
			a := x.tokenizers.Get().(*Tokenizer)
			for _, file := range files {
				if gctx.Err() != nil {
					return context.Cause(gctx)
				}
				for _, row := range file {
					batches[i].Update(newChunk(row))
				}
				from := a.arena.usedFreqs
				for n, u := range unitsOf(file) {
					batches[i].Update(a.newUnit(KeyOf(file[0]), n, u))
					if a.arena.usedFreqs-from > fileTokens && len(c.Delete) == 0 {
						if err := x.commit(gctx, batches[i]); err != nil {
							return err
						}
						batches[i].Reset()
						a.arena.reset()
						from = 0
					}
				}
			}
			if err := x.commit(gctx, batches[i]); err != nil {
				return err // the batch may still be in use
			}
			a.arena.reset()
			x.tokenizers.Put(a)
			return nil
		})
	}
	return g.Wait()
}

// split divides rows into n groups of files. All rows of a file are in one group.
func split(rows []api.Chunk, n int) [][][]api.Chunk {
	groups := make([][][]api.Chunk, n)
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].Path == rows[from].Path && rows[to].ContentHash == rows[from].ContentHash {
			to++
		}
		i := from * n / len(rows)
		groups[i] = append(groups[i], rows[from:to])
		from = to
	}
	return groups
}

// maxBatches is the maximum number of batches of a change. Merging more batches takes the time that more cores save.
const maxBatches = 4

// commit writes a batch and waits until it is on disk.
func (x *Index) commit(ctx context.Context, batch *index.Batch) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	x.mu.RLock()
	closed, idx := x.closed, x.idx
	x.mu.RUnlock()
	if closed || idx == nil {
		return ErrClosed
	}
	err := x.write("write text index", func() error { return idx.Batch(batch) })
	if err != nil && x.dead() == nil {
		x.failedWrite.Store(true)
	}
	return err
}
