package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/host/memory"
	"searchmcp/engine/store"
)

const (
	// vectorUnit is the number of vectors that are saved to the vector cache at a time (RFC 5.4). A crash loses at most
	// these vectors.
	vectorUnit = 32
	// minVectorBatch is the minimum number of vectors in a commit. Each commit creates a file. Many files slow down
	// searches.
	minVectorBatch = 1024
	maxVectorBatch = 4 * minVectorBatch
	// A commit to a large table contains a 64th of the table's rows.
	batchFraction = 64
)

// retryVectors is the default of Options.Retry.
const retryVectors = time.Minute

func (a *Actor) wakeVectors() { jobs.Offer(a.vectorWake, struct{}{}) }

func (a *Actor) vectorLoop(ctx context.Context) {
	if a.opt.Embedder == nil && a.opt.Store.Static == nil {
		return
	}
	retry := time.NewTimer(0)
	retry.Stop()
	defer retry.Stop()
	for {
		select {
		case <-a.vectorWake:
		case <-retry.C:
		case <-ctx.Done():
			return
		}
		if a.awaitResume(ctx) != nil {
			return
		}
		st := a.store.Load()
		initial := st.Stats().Vectors
		err := a.fillStatic(ctx, st)
		if err != nil && a.embeds() && !errors.Is(err, errPaused) && !errors.Is(err, store.ErrClosed) {
			a.log.Warn("static vectors not made", "err", err)
			err = nil
		}
		if err == nil && a.embeds() {
			err = a.rebuildDamagedVectors(ctx, st)
		}
		if err == nil && a.embeds() {
			err = a.retryWithBackoff(func() error {
				return a.fillVectors(ctx, st, func(done int) { a.reportVectors(st, initial+done) })
			})
		}
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errThrottled):
			a.notifyVectorsChanged()
			poll := throttlePoll
			if api.Fetching(a.Snapshot().Waiting) {
				poll = fetchPoll
			}
			retry.Reset(min(a.opt.Retry, poll))
		case errors.Is(err, errPaused), errors.Is(err, store.ErrClosed) && a.store.Load() != st:
			a.wakeVectors()
		case errors.Is(err, store.ErrClosed):
			retry.Reset(a.opt.Retry)
		case err != nil:
			a.log.Warn("vectors cannot be made now", "err", err)
			a.change(func(f *status) { f.vectorErr = vectorError(err) })
			a.notifyVectorsChanged()
			a.reportDamage(err)
			retry.Reset(a.opt.Retry)
		default:
			// Remove the static vectors of chunks that now have vectors of the model.
			if err := a.fillStatic(ctx, st); err != nil {
				a.log.Warn("static vectors not maintained", "err", err)
			}
			if st.Stats().Vectors > initial {
				a.reduceBackoff()
				// Save the new size of the vectors.
				if err := st.UpdateMetadata(func(*store.Metadata) {}); err != nil {
					a.log.Warn("metadata not written", "err", err)
				}
			}
			a.change(func(f *status) {
				f.vectorErr, f.shown.Waiting = nil, ""
				if !f.building {
					f.repairErr = nil
				}
			})
			a.notifyVectorsChanged()
			a.compact(ctx, st)
		}
	}
}

// staticBatch is the number of static vectors between two checks for a pause.
const staticBatch = 4096

// fillStatic computes the missing static vectors. This takes only seconds, even for a large project.
func (a *Actor) fillStatic(ctx context.Context, st *store.Store) error {
	for _, corpus := range api.Corpora {
		for n := 1; n > 0; {
			if a.Paused() {
				return errPaused
			}
			var err error
			if n, err = st.FillStatic(ctx, corpus, staticBatch, a.opt.Light() || a.opt.NoModel() != nil); err != nil {
				return fmt.Errorf("make static vectors: %w", err)
			}
			if n > 0 {
				a.publish()
			}
		}
	}
	return nil
}

// rebuildDamagedVectors replaces a damaged vector table by an empty one (RFC 10). A table that could not be read
// because the worker crashed is opened again.
func (a *Actor) rebuildDamagedVectors(ctx context.Context, st *store.Store) error {
	problem := st.VectorProblem()
	if problem == nil {
		return nil
	}
	if api.CodeOf(problem) == api.IndexCorrupt {
		a.announceVectors(problem)
	}
	return st.RebuildVectors(ctx)
}

func (a *Actor) announceVectors(problem error) {
	shown := vectorError(problem)
	a.log.Error("vector table damaged, quarantined and rebuilt", "err", problem)
	a.change(func(f *status) { f.vectorErr, f.repaired = shown, repaired(problem) })
	a.opt.Hub.Publish(api.Event{Kind: api.EventProblem, ProjectID: a.opt.ID, Message: shown.UserMessage})
}

func (a *Actor) reportVectors(st *store.Store, done int) {
	if j := a.now().job; j != nil {
		done, total := embedded(st, done)
		j.Update(func(p *api.Progress) {
			if p.Phase == api.PhaseEmbedding { // a retry counts from the start
				p.ChunksDone, p.ChunksTotal = min(max(p.ChunksDone, done), total), total
			}
		})
	}
}

func embedded(st *store.Store, done int) (int, int) {
	total := st.Stats().Chunks
	return min(done, total), total
}

// After these errors, embedding continues later.
var (
	errPaused    = errors.New("the project was paused")
	errThrottled = errors.New("embedding is throttled")
)

const throttlePoll = 10 * time.Second

const fetchPoll = time.Second

func (a *Actor) checkThrottle() error {
	why := a.opt.Throttled()
	if a.now().shown.Waiting != why {
		a.change(func(f *status) { f.shown.Waiting = why })
	}
	if why != "" {
		return errThrottled
	}
	return nil
}

// fillVectors computes the missing vectors of st. It calls onProgress with the number of computed vectors.
func (a *Actor) fillVectors(ctx context.Context, st *store.Store, onProgress func(done int)) error {
	if err := st.VectorProblem(); err != nil {
		return err
	}
	if s := st.Stats(); s.Chunks-s.Vectors >= minVectorBatch {
		// By default, the heap would grow to twice its live data. The compressed vectors of a million chunks take 64
		// MB.
		defer memory.CollectMoreOften()()
	}
	done := 0
	for left := true; left; {
		left = false
		// Alternate between documentation and code, so that neither has to wait for the other.
		for _, corpus := range []api.Corpus{api.CorpusDocs, api.CorpusCode} {
			n, err := a.fillBatch(ctx, st, corpus, func(n int) { onProgress(done + n) })
			done += n
			if err != nil {
				return err
			}
			left = left || n > 0
		}
	}
	return nil
}

func (a *Actor) fillBatch(ctx context.Context, st *store.Store, corpus api.Corpus,
	onProgress func(done int)) (int, error) {
	if a.Paused() || !a.embeds() { // paused, or only static vectors are enabled
		return 0, errPaused
	}
	size := min(max(minVectorBatch, st.Stats().Vectors/batchFraction), maxVectorBatch) / a.divisor()
	inFlight := maxVectorBatch
	if a.divisor() > 1 { // after memory has run out, process one batch at a time
		inFlight = size
	}
	chunks, err := st.Missing(ctx, corpus, inFlight)
	if err != nil {
		return 0, fmt.Errorf("find chunks without vector: %w", err)
	}
	if len(chunks) == 0 {
		return 0, nil
	}
	if err := a.checkThrottle(); err != nil {
		return 0, err
	}
	// Each vector is stored twice, in the vector table and in the cache.
	if err := a.checkFree(int64(len(chunks))*api.VectorDim*4*2, true); err != nil {
		return 0, err
	}
	stored, rows := 0, make([]store.VectorRow, 0, size)
	// The buffer is large enough for all batches. Computing vectors thus never waits for storing them.
	batches := make(chan []store.VectorRow, len(chunks)/size+1)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		for rows := range batches {
			// Store computed vectors even if ctx has ended.
			if err := st.PutVectors(context.WithoutCancel(ctx), corpus, rows); err != nil {
				return fmt.Errorf("store %d vectors: %w", len(rows), err)
			}
			stored += len(rows)
			a.publish()
			a.notifyVectorsChanged()
		}
		return nil
	})
	g.Go(func() error {
		defer close(batches)
		err := a.embed(gctx, chunks, func(row store.VectorRow) {
			if rows = append(rows, row); len(rows) >= size {
				batches <- rows
				rows = nil
			}
		}, onProgress)
		if len(rows) > 0 {
			batches <- rows
		}
		return err
	})
	err = g.Wait()
	return stored, err
}

func (a *Actor) notifyVectorsChanged() {
	a.mu.Lock()
	close(a.vectorsChanged)
	a.vectorsChanged = make(chan struct{})
	a.mu.Unlock()
}

func (a *Actor) embed(ctx context.Context, chunks []api.Chunk, give func(store.VectorRow),
	onProgress func(done int)) error {
	model := a.opt.Embedder.ModelHash()
	inputs := make([]string, len(chunks))
	for i, c := range chunks {
		inputs[i] = a.opt.Embedder.Input(c)
	}
	known, err := a.opt.Vectors.Get(ctx, model, inputs)
	if err != nil {
		a.log.Warn("vector cache not readable", "err", err)
	}
	var texts []string
	todo, given := map[string][]int{}, 0 // maps an input to the indexes of its chunks
	for i, c := range chunks {
		if v, ok := known[i]; ok {
			give(store.VectorRow{Chunk: c, Vector: v})
			given++
			continue
		}
		if todo[inputs[i]] == nil {
			texts = append(texts, inputs[i])
		}
		todo[inputs[i]] = append(todo[inputs[i]], i)
	}
	onProgress(given)
	if len(texts) == 0 {
		return nil
	}
	ctx, cancel := a.untilPaused(ctx)
	defer cancel(nil)
	var unitTexts []string
	var unitVectors []api.Vector
	save := func() {
		// An error is only logged, because the vectors can be computed again.
		if err := a.opt.Vectors.Put(context.WithoutCancel(ctx), model, unitTexts, unitVectors); err != nil {
			a.log.Warn("vector cache not writable", "err", err)
		}
		unitTexts, unitVectors = nil, nil
		onProgress(given)
		if !a.embeds() { // quick vectors were chosen meanwhile
			cancel(errPaused)
		}
	}
	err = a.opt.Embedder.Texts(ctx, texts, func(i int, v api.Vector) {
		for _, n := range todo[texts[i]] {
			give(store.VectorRow{Chunk: chunks[n], Vector: v})
			given++
		}
		unitTexts, unitVectors = append(unitTexts, texts[i]), append(unitVectors, v)
		if len(unitTexts) == vectorUnit {
			save()
		}
	})
	if len(unitTexts) > 0 {
		save()
	}
	if err != nil {
		if errors.Is(context.Cause(ctx), errPaused) {
			err = errPaused
		}
		return fmt.Errorf("embed %d chunks: %w", len(texts), err)
	}
	return nil
}

// untilPaused returns a context that also ends when the project is paused.
func (a *Actor) untilPaused(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(a.now().running, func() { cancel(errPaused) })
	return ctx, func(err error) {
		stop()
		cancel(err)
	}
}
