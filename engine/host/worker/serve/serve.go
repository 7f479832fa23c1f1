// Package serve implements search-mcp-worker. It links tree-sitter, ONNX Runtime and LanceDB, so only the program's
// main package and tests import it.
package serve

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/engine/sources/markup"
	"searchmcp/engine/store/vector/lance"
)

func Main(kind worker.Kind, version string) int {
	s := native.Service{Version: version, Code: worker.Code}
	switch kind {
	case worker.Parse, worker.Ask:
		s.Handlers = worker.ParseHandlers(chunk.NewTrees(treesitter.Parse))
	case worker.Embed:
		s.Handlers = worker.EmbedHandlers(&embedder{})
	case worker.Store:
		s.Handlers = tables()
	case worker.Read, worker.Unpack:
		// Collect garbage before the process reaches its memory limit and exits.
		debug.SetMemoryLimit(worker.Memory[kind] * 3 / 4)
		bounded := func(limit time.Duration, f func()) { watch(limit, worker.Memory[kind]*7/8, f) }
		s.Handlers = worker.ReadHandlers(markup.InProcess{}, bounded)
		if kind == worker.Unpack {
			s.Handlers = worker.UnpackHandlers(bounded)
		}
	default:
		fmt.Fprintf(os.Stderr, "search-mcp-worker: no kind %q: the app starts this program\n", kind)
		return 2
	}
	native.Watch(worker.Memory[kind])
	out, err := output()
	if err == nil {
		if kind == worker.Read || kind == worker.Unpack {
			sandbox()
		}
		err = s.Serve(os.Stdin, out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "search-mcp-worker:", err)
		return 1
	}
	return 0
}

func tables() native.Handlers {
	db, err := lance.New()
	if err != nil {
		return worker.FailingHandlers(err)
	}
	return worker.StoreHandlers(db)
}

type embedder struct {
	mu      sync.Mutex
	e       *onnx.Embedder
	threads int
}

func (m *embedder) open(ctx context.Context, library, file string) (*onnx.Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.e != nil {
		return m.e, nil
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	e, err := onnx.Open(ctx, onnx.Options{Library: library, Model: file, Threads: m.threads, Log: log})
	if err == nil {
		m.e = e
	}
	return e, err
}

func (m *embedder) Query(ctx context.Context, library, file, text string) (api.Vector, error) {
	e, err := m.open(ctx, library, file)
	if err != nil {
		return api.Vector{}, err
	}
	return e.Query(ctx, text)
}

func (m *embedder) Texts(
	ctx context.Context, library, file string, texts []string, f func(i int, v api.Vector),
) error {
	e, err := m.open(ctx, library, file)
	if err != nil {
		return err
	}
	return e.Texts(ctx, texts, f)
}

func (m *embedder) SetThreads(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.threads == n {
		return
	}
	m.threads = n
	if m.e != nil {
		m.e.SetThreads(n)
	}
}
