package onnx

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
	"searchmcp/engine/host/machine"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/wordpiece"
)

// Options are the options of Open. All are optional.
type Options struct {
	Library string // absolute path of ONNX Runtime; the default is embed.LibraryPath()
	Model   string // path of the model's file, already verified; the default is the path of an embed.File
	Threads int    // number of concurrent inferences for texts; 0 means one per core
	Log     *slog.Logger
}

type Embedder struct {
	o        Options
	manifest model.Manifest
	vocab    *wordpiece.Vocabulary
	gate     *gate

	mu      sync.Mutex // held while the model is loaded, for about 70 ms
	session *session
}

// Open returns an Embedder. The first call of Query or Texts loads the library and the model.
func Open(ctx context.Context, o Options) (*Embedder, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	m, err := model.Bundled()
	if err != nil {
		return nil, err
	}
	if m.Dims != api.VectorDim || m.MaxTokens < embed.MaxTokens {
		return nil, fmt.Errorf("model %s of %d dimensions and %d tokens: %w", m.Name, m.Dims, m.MaxTokens, embed.ErrModel)
	}
	vocab, err := wordpiece.NewVocabulary(model.Vocab())
	if err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	e := &Embedder{o: o, manifest: m, vocab: vocab, gate: newGate(1)}
	e.SetThreads(o.Threads)
	return e, nil
}

func (e *Embedder) SetThreads(n int) {
	if n <= 0 {
		n = maxThreads()
	}
	e.gate.setThreads(min(n, maxThreads()))
}

func maxThreads() int { return max(1, min(runtime.GOMAXPROCS(0), runtime.NumCPU())) }

// Close unloads the model. No other call may be running.
func (e *Embedder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.session == nil {
		return nil
	}
	s := e.session
	e.session = nil
	return s.close()
}

func (e *Embedder) loaded() (*session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.session != nil {
		return e.session, nil
	}
	s, err := e.load()
	if err == nil {
		e.session = s
	}
	return s, err
}

func (e *Embedder) load() (*session, error) {
	start := time.Now()
	library, path := e.o.Library, e.o.Model
	var err error
	if library == "" {
		if library, err = embed.LibraryPath(); err != nil {
			return nil, err
		}
	}
	if !filepath.IsAbs(library) {
		return nil, fmt.Errorf("library path %s is not absolute: %w", library, embed.ErrLibrary)
	}
	if path == "" {
		if path, err = embed.NewFile("").Path(); err != nil {
			return nil, err
		}
	}
	if err := startRuntime(library, e.o.Log); err != nil {
		return nil, err
	}
	s, err := newSession(path, e.vocab)
	if err != nil {
		return nil, err
	}
	e.o.Log.Info("embedding model loaded", "model", e.manifest.Name, "took", time.Since(start).Round(time.Millisecond))
	return s, nil
}

func (e *Embedder) Query(ctx context.Context, text string) (api.Vector, error) {
	s, err := e.loaded()
	if err != nil {
		return api.Vector{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return api.Vector{}, err
	}
	defer e.gate.query()()
	return s.embed(text, embed.MaxTokens)
}

// Token returns the vector of a single token. app/bench/distil computes static vectors from these vectors.
func (e *Embedder) Token(id int32) (v api.Vector, err error) {
	s, err := e.loaded()
	if err != nil {
		return v, err
	}
	r, err := s.borrow()
	if err != nil {
		return v, err
	}
	ends := r.encoder.Encode(nil, "", 0)
	r.ids = append(r.ids[:0], ends[0], id, ends[1])
	v, err = r.run(s.native, len(r.ids))
	s.release(r)
	return v, err
}

// Texts computes the vectors of texts. It calls done once for each text, in any order, and never concurrently.
func (e *Embedder) Texts(ctx context.Context, texts []string, done func(i int, v api.Vector)) error {
	if len(texts) == 0 {
		return context.Cause(ctx)
	}
	s, err := e.loaded()
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	b := &batch{e: e, session: s, texts: texts, done: done}
	var workers sync.WaitGroup
	for range min(len(texts), maxThreads()) {
		workers.Go(func() {
			// The thread stays locked and ends with this goroutine, so that no other goroutine gets its low priority.
			runtime.LockOSThread()
			if err := machine.LowerPriority(); err != nil {
				e.o.Log.Debug("can't lower a thread's priority", "err", err)
			}
			if err := b.work(ctx); err != nil {
				fail(err)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

type batch struct {
	e       *Embedder
	session *session
	texts   []string
	next    atomic.Int64
	mu      sync.Mutex
	done    func(i int, v api.Vector)
}

func (b *batch) work(ctx context.Context) error {
	for {
		i := int(b.next.Add(1)) - 1
		if i >= len(b.texts) {
			return nil
		}
		v, err := b.embed(ctx, b.texts[i])
		if err != nil {
			return err
		}
		b.mu.Lock()
		b.done(i, v)
		b.mu.Unlock()
	}
}

// embed returns the vector of the first embed.TextTokens tokens of text. For a longer text, it adds a second vector,
// multiplied by restWeight.
func (b *batch) embed(ctx context.Context, text string) (api.Vector, error) {
	r, err := b.session.borrow()
	if err != nil {
		return api.Vector{}, err
	}
	defer b.session.release(r)
	ids := r.encode(nil, text, 0)
	const most = embed.TextTokens - 1
	if len(ids)-1 <= most {
		return b.infer(ctx, r, ids)
	}
	first, rest, end := ids[:most], ids[most:len(ids)-1], ids[len(ids)-1]
	v, err := b.infer(ctx, r, slices.Concat(first, []int32{end}))
	if err != nil {
		return v, err
	}
	novel := b.session.vocab.NewWords(ids[:1:1], first, rest, embed.RestTokens-1)
	if len(novel) == 1 {
		return v, nil
	}
	w, err := b.infer(ctx, r, append(novel, end))
	if err != nil {
		return v, err
	}
	for i := range v {
		v[i] += restWeight * w[i]
	}
	embed.Normalise(&v)
	return v, checkUnit(&v)
}

const restWeight = 0.5

func (b *batch) infer(ctx context.Context, r *runner, ids []int32) (v api.Vector, err error) {
	if err := b.e.gate.enter(ctx); err != nil {
		return v, err
	}
	r.ids = append(r.ids[:0], ids...)
	v, err = r.run(b.session.native, len(ids))
	b.e.gate.leave()
	return v, err
}
