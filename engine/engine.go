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
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/host/machine"
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

// Options is what an engine runs with.
type Options struct {
	Data string // the data folder, ~/.mcp/search by default
	Log  *slog.Logger
	// Version is the app's, which the worker must have as well.
	Version string
	// Level is the level of the projects' own logs.
	Level slog.Level

	// Tests put fakes and shorter times here.
	model       Model
	modelDir    string // where the only model is looked for
	free        func(dir string) (int64, error)
	idle, retry time.Duration
	release     time.Duration // instead of releaseAfter
	refresh     time.Duration // of shared indexes
	battery     machine.Battery
	load        machine.Load
}

// WithModel returns options under which another model than the bundled one makes the vectors: measurements at sizes
// that no model gets through in reasonable time make them up.
func (o Options) WithModel(m Model) Options {
	o.model = m
	return o
}

// Model is what the engine needs of an embedding model (worker.Model).
type Model interface {
	project.Embedder
	Loaded() bool
	SetThreads(n int)
	Close() error
}

// Engine is an open data folder: the projects with their searches, what is served beside them, and the events of both.
// Its own methods are about the app as a whole. All methods are safe for concurrent use.
type Engine struct {
	*project.Registry
	*sources.Sources

	opt      Options
	log      *slog.Logger
	hub      *jobs.Hub
	heavy    *semaphore.Weighted // one heavy text phase at a time
	syntax   *worker.Syntax
	asking   *worker.Syntax // for questions
	reader   *worker.Documents
	poison   *worker.Poison // contents that end a worker
	chunker  *chunk.Chunker
	workers  map[worker.Kind]*native.Process
	lacking  atomic.Bool // parsers could not be asked about some file
	waiting  atomic.Bool // and somebody waits for them
	tables   *vector.DB
	static   *static.Table             // nil: the program comes without a usable one
	embedder Model                     // nil if neither library nor model can be had
	noModel  atomic.Pointer[api.Error] // why there is no model; nil: there is one, as far as is known
	fetching atomic.Pointer[string]    // what is said of getting it while that goes on; nil: it does not
	cache    *cache.Cache
	settings *settings
	throttle *throttle.Throttle

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu       sync.RWMutex
	problems []problem

	asked chan struct{} // signalled by questions
}

// Folders of the data folder beside project.Dir (RFC 3.1).
const (
	logsDir  = "logs"
	cacheDir = "cache"
)

// Open opens what all projects share, then the projects and what is served beside them. It returns when every project
// can be searched by text; model and watchers follow by themselves.
func Open(ctx context.Context, o Options) (*Engine, error) {
	for _, dir := range []string{o.Data, filepath.Join(o.Data, project.Dir), filepath.Join(o.Data, cacheDir)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make data folder: %w", err)
		}
	}
	policy.KeepOut(o.Data)
	e := &Engine{opt: o, log: o.Log, hub: jobs.NewHub(), heavy: semaphore.NewWeighted(1), asked: make(chan struct{}, 1)}
	e.ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if err := e.openShared(ctx); err != nil {
		e.cancel()
		return nil, err
	}
	e.Registry = e.newRegistry()
	if e.embedder != nil && e.opt.model == nil { // not before there is a registry, whose projects it wakes
		e.wg.Go(func() { e.ensureModel(e.ctx) })
	}
	e.Sources = sources.Open(sources.Options{
		Data: o.Data, Log: o.Log, Hub: e.hub, Projects: e.Registry, Added: e.settings.folders, SetAdded: e.setFolders,
		NamedBytes: e.settings.namedBytes(), Problem: e.addProblem, Reader: e.reader,
	})
	if err := e.Registry.OpenAll(ctx); err != nil {
		e.setProblem(aboutRegistry, api.New(api.Internal, "The list of indexed projects can't be read.", err.Error(), err))
	}
	e.Registry.WatchConfigs()
	e.wg.Go(func() { e.Sources.Run(e.ctx) })
	e.wg.Go(func() { e.releaseWhenIdle(e.ctx) })
	e.wg.Go(func() { e.cache.Shrink(e.ctx) }) // the limit may have been lowered
	return e, nil
}

func (e *Engine) newRegistry() *project.Registry {
	o := project.Options{
		Data: e.opt.Data, Log: e.log, Level: e.opt.Level, Hub: e.hub, Heavy: e.heavy,
		Chunker: e.chunker, Parser: e.asking, Embedder: e.embedder, Cache: e.cache,
		Paused: e.settings.paused, Threads: e.settings.threads, Wait: e.waitsFor, Tables: e.tables,
		Parts:   worker.NewParts(e.workers[worker.Unpack]).Read,
		NoModel: e.noModel.Load, Asked: e.noteQuestion, Free: e.opt.free,
		Unnoticed: func(p *api.Error) { e.setProblem(aboutConfigs, p) },
		Idle:      e.opt.idle, Retry: e.opt.retry, Refresh: e.opt.refresh,
		Light: func() bool { return e.static != nil && e.settings.on(settingLight) },
	}
	if e.static != nil {
		o.Static = e.static
	}
	return project.NewRegistry(e.ctx, o)
}

// Close stops every project, waits for them and releases what they share. A project that does not stop within ctx is
// left behind and reported.
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
	return errors.Join(err, e.closeWorkers(), e.cache.Close(), releaseCrash(e.opt.Data))
}

// Subscribe returns the events from now on until ctx ends.
func (e *Engine) Subscribe(ctx context.Context) <-chan api.Event { return e.hub.Subscribe(ctx) }

// Publish hands an event to all subscribers.
func (e *Engine) Publish(ev api.Event) { e.hub.Publish(ev) }

// Languages lists the names by which a search can be limited to a language.
func (e *Engine) Languages() []string { return chunk.Languages() }

// LanguageNamed finds the language that somebody means by a name, an extension or what it is also called.
func (e *Engine) LanguageNamed(typed string) (name string, ok bool) {
	return chunk.LanguageNamed(typed)
}
