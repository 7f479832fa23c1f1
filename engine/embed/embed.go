package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
	"searchmcp/engine/embed/wordpiece"
	"searchmcp/engine/machine"
)

const (
	// maxTokens is what the network was tuned for and the most that is ever run, special tokens included.
	maxTokens = 256
	// textTokens is what is used of a text: on docstring questions over 1,000 functions each of Go and Python the first
	// 128 tokens found more than 256, and 256 more than 512. More text dilutes.
	textTokens = 128
)

// Options configure an Embedder. The zero value is usable.
type Options struct {
	// Library is the absolute path of ONNX Runtime; "" means LibraryPath().
	Library string
	// ModelDir is the folder of the model file; "" means a bundled or cached one. See Locate for the download.
	ModelDir string
	// Threads is the most background inferences at once; 0 lets measurement decide.
	Threads int
	// IdleUnload is how long an unused model stays loaded; 0 means for ever.
	IdleUnload time.Duration
	// Accelerator is what the model is to run on instead of the processor. Untested; where it does not work Open warns and
	// goes on without.
	Accelerator Accelerator
	// Busy is called before and its result after what a broken driver or processor could crash the process in, so that
	// the next start can know. May be nil.
	Busy func(op string) func()
	// Log may be nil.
	Log *slog.Logger
}

// Embedder turns texts into vectors. Safe for concurrent use.
type Embedder struct {
	o        Options
	manifest model.Manifest
	vocab    *wordpiece.Vocabulary
	life     *lifetime
	gate     *gate
	tuner    *tuner
	auto     atomic.Bool // the tuner decides
	checked  verified    // the model file as last verified; used by load only

	closing context.Context
	cancel  context.CancelCauseFunc
}

// Open prepares an Embedder. Neither library nor model is touched before the first text, unless an accelerator has to be
// tried; so Open is cheap, and a missing library shows in Query and Texts, as ErrLibrary.
func Open(ctx context.Context, o Options) (*Embedder, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Busy == nil {
		o.Busy = func(string) func() { return func() {} }
	}
	m, err := model.Bundled()
	if err != nil {
		return nil, err
	}
	if m.Dims != api.VectorDim || m.MaxTokens < maxTokens {
		return nil, fmt.Errorf("model %s of %d dimensions and %d tokens: %w", m.Name, m.Dims, m.MaxTokens, ErrModel)
	}
	vocab, err := wordpiece.NewVocabulary(model.Vocab())
	if err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	e := &Embedder{o: o, manifest: m, vocab: vocab, gate: newGate(1), tuner: newTuner(threadCandidates()...)}
	e.life = newLifetime(e.load, o.IdleUnload, o.Log)
	e.closing, e.cancel = context.WithCancelCause(context.Background())
	e.SetThreads(o.Threads)
	if o.Accelerator != NoAccelerator {
		e.probe()
	}
	return e, nil
}

// SetThreads bounds the background inferences that run at once, from now on; 0 or less lets measurement decide.
func (e *Embedder) SetThreads(n int) {
	e.auto.Store(n <= 0)
	if n <= 0 {
		e.tuner.restart(time.Now())
		n = e.tuner.threads()
	}
	e.gate.setThreads(min(n, maxThreads()))
}

// ModelHash identifies what makes a vector: model file, vocabulary, what is shown to the model of a chunk, and what the model
// runs on, since accelerators round otherwise. Vectors with different hashes must not be compared. 64 hex digits.
func (e *Embedder) ModelHash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\ninput %s\ntokens %d\nprovider %s\n",
		e.manifest.Model.SHA256, e.manifest.Vocab.SHA256, InputVersion, textTokens, e.o.Accelerator.provider()))
	return hex.EncodeToString(sum[:])
}

// Loaded reports whether the model is in memory.
func (e *Embedder) Loaded() bool { return e.life.loaded() }

// Warm loads the model, so that the next query finds it there.
func (e *Embedder) Warm(ctx context.Context) error {
	if _, err := e.life.use(ctx); err != nil {
		return err
	}
	e.life.done()
	return nil
}

// Unload frees the model unless it is in use; the next text loads it again. It reports whether it is out of memory.
func (e *Embedder) Unload() bool { return e.life.unload() }

// Close ends running Texts after their current inference, waits for them and for queries, and frees the model. Later calls
// fail with ErrClosed. Calling it again is fine.
func (e *Embedder) Close() error {
	e.cancel(ErrClosed)
	e.life.close()
	return nil
}

// load makes the library and the model ready. lifetime calls it, never twice at once.
func (e *Embedder) load() (*session, error) {
	defer e.o.Busy("load the embedding model")()
	start := time.Now()
	library := e.o.Library
	if library == "" {
		var err error
		if library, err = LibraryPath(); err != nil {
			return nil, err
		}
	}
	if !filepath.IsAbs(library) {
		return nil, fmt.Errorf("library path %s is not absolute: %w", library, ErrLibrary)
	}
	path, err := e.modelFile()
	if err != nil {
		return nil, err
	}
	if err := startRuntime(library, e.o.Log); err != nil {
		return nil, err
	}
	s, err := newSession(path, e.vocab, e.o.Accelerator)
	if err != nil {
		return nil, err
	}
	e.o.Log.Info("embedding model loaded", "model", e.manifest.Name, "took", time.Since(start).Round(time.Millisecond))
	return s, nil
}

// modelFile returns the path of a verified model.
func (e *Embedder) modelFile() (string, error) {
	dirs := []string{e.o.ModelDir}
	if e.o.ModelDir == "" {
		dirs = modelDirs()
		if cache, err := cacheDir(e.manifest); err == nil {
			dirs = append(dirs, cache)
		}
	}
	var errs []error
	for _, dir := range dirs {
		path := filepath.Join(dir, e.manifest.Model.Name)
		err := e.checked.check(path, e.manifest.Model)
		if err == nil {
			return path, nil
		}
		errs = append(errs, err)
	}
	return "", fmt.Errorf("find model %s: %w: %w", e.manifest.Name, ErrModel, errors.Join(errs...))
}

// Query embeds what somebody asked, ahead of all texts.
func (e *Embedder) Query(ctx context.Context, text string) (api.Vector, error) {
	ctx, stop := e.joined(ctx)
	defer stop()
	s, err := e.life.use(ctx)
	if err != nil {
		return api.Vector{}, err
	}
	defer e.life.done()
	if err := e.gate.enter(ctx, laneQuery); err != nil {
		return api.Vector{}, err
	}
	defer e.gate.leave(laneQuery)
	v, _, err := s.embed(text, maxTokens)
	return v, err
}

// Texts embeds texts and hands each vector to each, which is never called twice at once, as soon as it is there; i is
// the text's index, and the order is not fixed. It returns when all are done, at the first error, or when ctx ends, which is
// looked at between two texts. Memory does not grow with the number of texts.
func (e *Embedder) Texts(ctx context.Context, texts []string, each func(i int, v api.Vector)) error {
	if len(texts) == 0 {
		return context.Cause(ctx)
	}
	ctx, stop := e.joined(ctx)
	defer stop()
	s, err := e.life.use(ctx)
	if err != nil {
		return err
	}
	defer e.life.done()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	b := &batch{e: e, session: s, texts: texts, each: each}
	e.tuner.begin(time.Now())
	defer func() { e.tuner.end(time.Now()) }()
	var workers sync.WaitGroup
	for range min(len(texts), maxThreads()) {
		workers.Go(func() {
			// The thread ends with this goroutine, because the lock is not undone.
			runtime.LockOSThread()
			if err := machine.LowerPriority(); err != nil {
				e.o.Log.Debug("can't lower a thread's priority", "error", err)
			}
			if err := b.work(ctx); err != nil {
				fail(err)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// joined returns ctx, ended by Close, too.
func (e *Embedder) joined(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	detach := context.AfterFunc(e.closing, func() { cancel(ErrClosed) })
	return ctx, func() { detach(); cancel(nil) }
}

// batch is one call of Texts.
type batch struct {
	e       *Embedder
	session *session
	texts   []string
	next    atomic.Int64
	mu      sync.Mutex // around each
	each    func(i int, v api.Vector)
}

// work embeds texts until none is left.
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
		b.each(i, v)
		b.mu.Unlock()
	}
}

func (b *batch) embed(ctx context.Context, text string) (api.Vector, error) {
	if err := b.e.gate.enter(ctx, laneText); err != nil {
		return api.Vector{}, err
	}
	v, tokens, err := b.session.embed(text, textTokens)
	b.e.gate.leave(laneText)
	if err == nil && b.e.auto.Load() && b.e.tuner.record(tokens, time.Now()) {
		b.e.gate.setThreads(b.e.tuner.threads())
	}
	return v, err
}
