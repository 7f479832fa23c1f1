package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/throttle"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/embed/static"
	"searchmcp/engine/project"
	"searchmcp/engine/sources"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/store/vector"
)

type Options struct {
	Data string // data folder, usually ~/.mcp/search
	Log  *slog.Logger
	// Version is the app's version. search-mcp-worker must have the same version.
	Version string
	Level   slog.Level

	// Options for tests.
	model       Model
	modelDir    string // folder of the embedding model
	free        func(dir string) (int64, error)
	idle, retry time.Duration
	release     time.Duration
	refresh     time.Duration
	battery     func() (bool, error)
}

// WithModel returns options with another embedding model. Benchmarks use a faster model.
func (o Options) WithModel(m Model) Options {
	o.model = m
	return o
}

type Model interface {
	project.Embedder
	Loaded() bool
	SetThreads(n int)
	Close() error
}

// Engine is safe for concurrent use.
type Engine struct {
	*project.Registry
	*sources.Sources
	*jobs.Hub

	opt      Options
	log      *slog.Logger
	heavy    *semaphore.Weighted
	asking   *worker.Syntax
	reader   *worker.Documents
	poison   *worker.Poison
	chunker  *chunk.Chunker
	workers  map[worker.Kind]*native.Process
	lacking  atomic.Bool
	waiting  atomic.Bool // a goroutine waits for the parsers
	tables   *vector.DB
	static   *static.Table // table of static vectors; nil if unusable
	embedder Model         // nil if ONNX Runtime or the model is unavailable
	noModel  atomic.Pointer[api.Error]
	fetching atomic.Pointer[string]
	cache    *cache.Cache
	settings settings
	throttle *throttle.Throttle

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu       sync.RWMutex
	problems []problem

	asked chan struct{}
}

// Subfolders of the data folder.
const (
	logsDir  = "logs"
	cacheDir = "cache"
)

// Open opens the data folder and all projects. The embedding model and the watchers start in the background.
func Open(ctx context.Context, o Options) (*Engine, error) {
	for _, dir := range []string{o.Data, filepath.Join(o.Data, project.Dir), filepath.Join(o.Data, cacheDir)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make data folder: %w", err)
		}
	}
	policy.KeepOut(o.Data)
	if o.free == nil {
		o.free = disk.FreeBytes
	}
	e := &Engine{opt: o, log: o.Log, Hub: jobs.NewHub(), heavy: semaphore.NewWeighted(1), asked: make(chan struct{}, 1)}
	e.ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if err := e.openShared(ctx); err != nil {
		e.cancel()
		return nil, err
	}
	e.Registry = e.newRegistry()
	if e.embedder != nil && e.opt.model == nil { // after newRegistry, because ensureModel uses the projects
		e.wg.Go(func() { e.ensureModel(e.ctx) })
	}
	e.Sources = sources.Open(sources.Options{
		Data: o.Data, Log: o.Log, Hub: e.Hub, Projects: e.Registry, Added: e.settings.folders, SetAdded: e.setFolders,
		NamedBytes: e.settings.namedBytes(), Problem: e.addProblem, Reader: e.reader,
	})
	if err := e.Registry.OpenAll(ctx); err != nil {
		e.setProblem(aboutRegistry, api.New(api.Internal, "The list of indexed projects can't be read.", err.Error(), err))
	}
	var unwritable *api.Error // checked only at the start
	if errors.As(disk.Error(disk.Writable(o.Data), o.Data), &unwritable) {
		e.addProblem(unwritable)
	}
	e.Registry.WatchConfigs()
	e.wg.Go(func() { e.Sources.Run(e.ctx) })
	e.wg.Go(func() { e.releaseWhenIdle(e.ctx) })
	e.wg.Go(func() { e.cache.Shrink(e.ctx) }) // the limit may be smaller than in the previous version
	return e, nil
}

func (e *Engine) newRegistry() *project.Registry {
	o := project.Options{
		Shared: project.Shared{
			Chunker: e.chunker, Hub: e.Hub, Heavy: e.heavy, Threads: e.settings.threads, Throttled: e.waitsFor,
			Light:   func() bool { return e.static != nil && e.settings.on(settingLight) },
			NoModel: e.noModel.Load, Free: e.opt.free, Idle: e.opt.idle, Retry: e.opt.retry,
		},
		Data: e.opt.Data, Log: e.log, Level: e.opt.Level, Parser: e.asking, Embedder: e.embedder, Cache: e.cache,
		Paused: e.settings.paused, Tables: e.tables, Parts: worker.NewParts(e.workers[worker.Unpack]).Read,
		Asked: e.noteQuestion, Misconfigured: func(p *api.Error) { e.setProblem(aboutConfig, p) }, Refresh: e.opt.refresh,
	}
	if e.static != nil {
		o.Static = e.static
	}
	return project.NewRegistry(e.ctx, o)
}

// Close stops the projects and sources. It returns an error if a project does not stop before ctx ends.
func (e *Engine) Close(ctx context.Context) error {
	e.cancel()
	done := make(chan struct{})
	go func() { e.wg.Wait(); e.Registry.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		return fmt.Errorf("stop projects: %w", context.Cause(ctx))
	}
	var err error
	if e.embedder != nil {
		err = e.embedder.Close()
	}
	for _, p := range e.workers {
		err = errors.Join(err, p.Close())
	}
	return errors.Join(err, e.cache.Close(), releaseCrash(e.opt.Data))
}

func (e *Engine) Languages() []string { return chunk.Languages() }
