package worker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/index/embed"
)

// Embedder runs the embedding model in the worker. Its first call loads ONNX Runtime and the model.
type Embedder interface {
	Query(ctx context.Context, library, file, text string) (api.Vector, error)
	Texts(ctx context.Context, library, file string, texts []string, f func(i int, v api.Vector)) error
	SetThreads(n int)
}

type Model struct {
	p       *native.Process
	poison  *Poison
	log     *slog.Logger
	hash    string
	file    *embed.File
	threads atomic.Int64
	asking  chan struct{} // locked while a query is embedded
	asked   question
}

type question struct {
	text   string
	vector api.Vector
}

func NewModel(p *native.Process, poison *Poison, dir string, threads int, log *slog.Logger) (*Model, error) {
	hash, err := embed.ModelHash()
	if err != nil {
		return nil, err
	}
	m := &Model{p: p, poison: poison, log: log, hash: hash, file: embed.NewFile(dir), asking: make(chan struct{}, 1)}
	m.threads.Store(int64(threads))
	return m, nil
}

func (m *Model) ModelHash() string { return m.hash }

func (m *Model) Input(c api.Chunk) string { return embed.Input(c) }

func (m *Model) Loaded() bool { return m.p.Running() }

// SetThreads sets the number of threads of the model. If n is not positive, the number is chosen automatically.
func (m *Model) SetThreads(n int) {
	m.threads.Store(int64(n))
	if !m.p.Running() {
		return
	}
	go func() {
		if err := opThreads.Do(context.Background(), m.p.Call, max(n, 0)); err != nil {
			m.log.Debug("number of threads not sent", "err", err)
		}
	}()
}

func (m *Model) Close() error { return m.p.Close() }

// Check finds and verifies the model's file, which takes 50 ms. The first query then need not verify it.
func (m *Model) Check() error {
	_, err := m.file.Path()
	return err
}

type modelFiles struct{ Library, Model string }

type textOf struct {
	modelFiles
	Text string
}

type textsOf struct {
	modelFiles
	Threads int
	Texts   []string
}

type vectorOf struct {
	N      int
	Vector api.Vector
}

func (m *Model) files() (f modelFiles, err error) {
	if f.Library, err = embed.LibraryPath(); err == nil {
		f.Model, err = m.file.Path()
	}
	if err != nil {
		return f, api.ErrModelMissing(err)
	}
	return f, nil
}

// Query returns the vector of text. Query doesn't wait for calls of Texts. Concurrent calls with the same text compute
// one vector.
func (m *Model) Query(ctx context.Context, text string) (v api.Vector, err error) {
	select {
	case m.asking <- struct{}{}:
		defer func() { <-m.asking }()
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
	if text = embed.Clip(text); text != "" && text == m.asked.text {
		return m.asked.vector, nil
	}
	files, err := m.files()
	if err != nil {
		return v, err
	}
	if v, err = opQuery.Call(ctx, m.p.Retry, textOf{files, text}); err != nil {
		return v, fmt.Errorf("embed query: %w", modelError(err))
	}
	m.asked = question{text, v}
	return v, nil
}

// Texts calls f with i and the vector of texts[i], in any order and one call at a time. A text that kills the worker
// gets the vector of the empty text.
func (m *Model) Texts(ctx context.Context, texts []string, f func(i int, v api.Vector)) error {
	todo := make([]int, len(texts))
	for i := range texts {
		todo[i] = i
	}
	if m.poison.Len() > 0 {
		texts = slices.Clone(texts)
		for i, t := range texts {
			if m.poison.Has(textHash(t)) {
				texts[i] = ""
			}
		}
	}
	got := make([]bool, len(texts))
	visit := func(i int, v api.Vector) {
		got[i] = true
		f(i, v)
	}
	err := m.texts(ctx, m.p.Call, texts, todo, visit)
	var died *native.CrashError
	if !errors.As(err, &died) {
		return err
	}
	// The worker died. Embed the remaining texts one at a time, because any of them may be the cause.
	for _, i := range todo {
		if got[i] {
			continue
		}
		err := m.texts(ctx, m.p.CallAlone, texts, []int{i}, visit)
		switch {
		case err == nil:
		case errors.As(err, &died) && died.CausedByCall():
			m.poison.Add(textHash(texts[i]), "embed", died.Cause)
			if err := m.texts(ctx, m.p.Call, make([]string, len(texts)), []int{i}, visit); err != nil {
				return err
			}
		default:
			return err
		}
	}
	return nil
}

func (m *Model) texts(ctx context.Context, call native.Caller, texts []string, todo []int,
	visit func(int, api.Vector)) error {
	files, err := m.files()
	if err != nil {
		return err
	}
	args := textsOf{modelFiles: files, Threads: int(max(m.threads.Load(), 0))}
	for _, i := range todo {
		args.Texts = append(args.Texts, embed.Clip(texts[i]))
	}
	var bad error
	err = opTexts.Each(ctx, call, args, func(v vectorOf) {
		if v.N < 0 || v.N >= len(todo) {
			bad = native.ErrBody
			return
		}
		visit(todo[v.N], v.Vector)
	})
	if err = cmp.Or(err, bad); err != nil {
		return fmt.Errorf("embed %d texts: %w", len(todo), modelError(err))
	}
	return nil
}

func textHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

var modelErrors = codes{"library": embed.ErrLibrary, "cpu": embed.ErrCPU, "model": embed.ErrModel}

func modelError(err error) error {
	err = modelErrors.restore(err)
	if errors.Is(err, embed.ErrLibrary) || errors.Is(err, embed.ErrModel) {
		return api.ErrModelMissing(err)
	}
	return err
}

func EmbedHandlers(e Embedder) native.Handlers {
	h := native.Handlers{}
	opQuery.Serve(h, func(ctx context.Context, t textOf) (api.Vector, error) {
		return e.Query(ctx, t.Library, t.Model, t.Text)
	})
	opTexts.ServeEach(h, func(ctx context.Context, t textsOf, part func(vectorOf)) error {
		e.SetThreads(t.Threads)
		return e.Texts(ctx, t.Library, t.Model, t.Texts, func(i int, v api.Vector) { part(vectorOf{i, v}) })
	})
	opThreads.Act(h, func(_ context.Context, n int) error {
		e.SetThreads(n)
		return nil
	})
	return h
}
