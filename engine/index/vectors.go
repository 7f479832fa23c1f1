package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/memory"
	"searchmcp/engine/store"
)

// RFC 5.4: 32 chunks are the unit of progress and of what a crash can lose. Rows reach LanceDB in larger batches, since
// each of its commits adds a fragment that every later search pays for.
const (
	vectorUnit  = 32
	vectorBatch = 1024
	largeBatch  = 4 * vectorBatch // from batchShare times as many on, where a batch more or less changes no answer
	batchShare  = 64
)

// batch is how many vectors of st are made before they are stored together.
func (a *Actor) batch(st *store.Store) int {
	return min(max(vectorBatch, st.Stats().Vectors/batchShare), largeBatch) / a.share()
}

// retryVectors is how long the lane waits after the model or the vector store failed before it tries again.
const retryVectors = time.Minute

func (a *Actor) wakeVectors() {
	select {
	case a.vectors <- struct{}{}:
	default:
	}
}

// vectorLane makes the vectors that committed chunks still lack, until ctx ends.
func (a *Actor) vectorLane(ctx context.Context) {
	if a.opt.Embedder == nil {
		return
	}
	retry := time.NewTimer(0)
	retry.Stop()
	defer retry.Stop()
	for {
		select {
		case <-a.vectors:
		case <-retry.C:
		case <-ctx.Done():
			return
		}
		if a.running(ctx) != nil {
			return
		}
		st := a.store.Load()
		begun := st.Stats().Vectors
		err := a.mendVectors(ctx, st)
		if err == nil {
			err = a.retrySmaller(func() error {
				return a.fillVectors(ctx, st, func(done int) { a.tellVectors(begun + done) })
			})
		}
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errResting):
			a.endLap()
			retry.Reset(min(a.opt.Retry, restLook))
		case errors.Is(err, errPaused), errors.Is(err, store.ErrClosed):
			a.wakeVectors() // paused, or the generation was switched under the lane: go on with what is there now
		case err != nil:
			a.log.Warn("vectors cannot be made now", "err", err)
			a.change(func(f *flags) { f.problem = asProblem(err) })
			a.endLap()
			a.damaged(err)
			if !errors.Is(err, store.ErrTextOnly) { // that ends with a rebuild, which wakes the lane
				retry.Reset(a.opt.Retry)
			}
		default:
			if st.Stats().Vectors > begun {
				a.relax()
				// The table has grown since the text was noted; its size is what people see.
				if err := st.UpdateMetadata(func(*store.Metadata) {}); err != nil {
					a.log.Warn("metadata not written", "err", err)
				}
			}
			a.change(func(f *flags) { f.problem, f.resting = nil, "" })
			a.endLap()
			a.compact(ctx, st)
		}
	}
}

// mendVectors puts a vector table that cannot be read aside and begins a new one (RFC 10, index corruption): text answers meanwhile,
// and most vectors come back from the cache.
func (a *Actor) mendVectors(ctx context.Context, st *store.Store) error {
	problem := st.VectorProblem()
	if api.CodeOf(problem) != api.IndexCorrupt {
		return nil
	}
	told := asProblem(problem)
	a.log.Error("vectors damaged, put aside and made anew", "err", problem)
	a.change(func(f *flags) { f.problem = told })
	a.opt.Hub.Publish(api.Event{Kind: api.EventProblem, ProjectID: a.opt.ID, Message: told.UserMessage})
	if err := st.RebuildVectors(ctx); err != nil {
		return fmt.Errorf("rebuild vectors: %w", err)
	}
	return nil
}

// tellVectors moves the running job's progress along, if it is waiting for vectors.
func (a *Actor) tellVectors(done int) {
	a.mu.Lock()
	j := a.flags.job
	a.mu.Unlock()
	if j != nil {
		j.Update(func(p *api.Progress) {
			if p.Phase == api.PhaseEmbedding {
				p.ChunksDone = done
			}
		})
	}
}

// Why the making of vectors ended before all were made, and goes on later.
var (
	errPaused  = errors.New("the project was paused")
	errResting = errors.New("the computer has nothing to spare")
)

// restLook is how often the lane asks whether it may go on. Nobody asks when no vectors are missing.
const restLook = 10 * time.Second

// rested fails with errResting while vectors have to wait.
func (a *Actor) rested() error {
	why := ""
	if a.opt.Rest != nil {
		why = a.opt.Rest()
	}
	a.mu.Lock()
	changed := a.flags.resting != why
	a.flags.resting = why
	a.mu.Unlock()
	if changed {
		a.publish()
	}
	if why != "" {
		return errResting
	}
	return nil
}

// fillVectors makes every missing vector of st. tick is called with the number of vectors made so far.
func (a *Actor) fillVectors(ctx context.Context, st *store.Store, tick func(done int)) error {
	if err := st.VectorProblem(); err != nil {
		return err
	}
	if s := st.Stats(); s.Chunks-s.Vectors >= vectorBatch { // codes of a million vectors are 64 MB of heap, which would grow by as much
		defer memory.Tighten()()
	}
	done := 0
	for left := true; left; {
		left = false
		// Batch by batch in turn, so that documents need not wait for the last test, nor code for the last document.
		for _, corpus := range []api.Corpus{api.CorpusDocs, api.CorpusCode} {
			n, err := a.fillBatch(ctx, st, corpus, func(n int) { tick(done + n) })
			done += n
			if err != nil {
				return err
			}
			left = left || n > 0
		}
	}
	return nil
}

// fillBatch makes the vectors that are missing most of one corpus, and returns how many were stored.
func (a *Actor) fillBatch(ctx context.Context, st *store.Store, corpus api.Corpus, tick func(done int)) (int, error) {
	if a.paused() {
		return 0, errPaused
	}
	chunks, err := st.Missing(ctx, corpus, a.batch(st))
	if err != nil {
		return 0, fmt.Errorf("find chunks without vector: %w", err)
	}
	if len(chunks) == 0 {
		return 0, nil
	}
	if err := a.rested(); err != nil {
		return 0, err
	}
	if err := a.room(int64(len(chunks)) * api.VectorDim * 4 * 2); err != nil { // a row in the table and one in the cache
		return 0, err
	}
	rows, err := a.embed(ctx, chunks, tick)
	if len(rows) > 0 {
		// What was made before a cancellation is kept: the next run begins behind it.
		if perr := st.PutVectors(context.WithoutCancel(ctx), corpus, rows); perr != nil {
			return 0, fmt.Errorf("store %d vectors: %w", len(rows), perr)
		}
		a.publish()
		a.endLap()
	}
	return len(rows), err
}

// endLap wakes those who wait for vectors.
func (a *Actor) endLap() {
	a.mu.Lock()
	close(a.lap)
	a.lap = make(chan struct{})
	a.mu.Unlock()
}

func (a *Actor) paused() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flags.paused
}

// embed returns a row for each chunk, from the cache where it can. On error it returns the rows made so far.
func (a *Actor) embed(ctx context.Context, chunks []api.Chunk, tick func(done int)) ([]store.VectorRow, error) {
	model := a.opt.Embedder.ModelHash()
	inputs := make([]string, len(chunks))
	for i, c := range chunks {
		inputs[i] = a.opt.Embedder.Input(c)
	}
	known, err := a.opt.Vectors.Get(ctx, model, inputs)
	if err != nil {
		// The cache only saves time; without it every vector is made again.
		a.log.Warn("vector cache not readable", "err", err)
	}
	rows := make([]store.VectorRow, 0, len(chunks))
	var todo []int
	for i, c := range chunks {
		if v, ok := known[i]; ok {
			rows = append(rows, store.VectorRow{Chunk: c, Vector: v})
		} else {
			todo = append(todo, i)
		}
	}
	tick(len(rows))
	if len(todo) == 0 {
		return rows, nil
	}
	texts := make([]string, len(todo))
	for i, n := range todo {
		texts[i] = inputs[n]
	}
	ctx, stop := a.untilPaused(ctx)
	defer stop()
	var unit vectorUnitBuffer
	save := func() {
		// The cache is what makes a crash cost one unit; its own failure costs only time.
		if err := a.opt.Vectors.Put(context.WithoutCancel(ctx), model, unit.texts, unit.vectors); err != nil {
			a.log.Warn("vector cache not writable", "err", err)
		}
		unit = vectorUnitBuffer{}
		tick(len(rows))
	}
	err = a.opt.Embedder.Texts(ctx, texts, func(i int, v api.Vector) {
		rows = append(rows, store.VectorRow{Chunk: chunks[todo[i]], Vector: v})
		unit.texts, unit.vectors = append(unit.texts, texts[i]), append(unit.vectors, v)
		if len(unit.texts) == vectorUnit {
			save()
		}
	})
	if len(unit.texts) > 0 {
		save()
	}
	if err != nil {
		if errors.Is(context.Cause(ctx), errPaused) {
			err = errPaused
		}
		return rows, fmt.Errorf("embed %d chunks: %w", len(texts), err)
	}
	return rows, nil
}

type vectorUnitBuffer struct {
	texts   []string
	vectors []api.Vector
}

// untilPaused derives a context that ends when the project is paused.
func (a *Actor) untilPaused(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	a.mu.Lock()
	if a.flags.paused {
		cancel(errPaused)
	}
	key := new(int)
	a.onPause[key] = func() { cancel(errPaused) }
	a.mu.Unlock()
	return ctx, func() {
		a.mu.Lock()
		delete(a.onPause, key)
		a.mu.Unlock()
		cancel(nil)
	}
}
