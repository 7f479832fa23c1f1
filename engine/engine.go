package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/doctor"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/host/datadir"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/throttle"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/embed/static"
	"searchmcp/engine/lang"
	"searchmcp/engine/model"
	"searchmcp/engine/problem"
	"searchmcp/engine/project"
	"searchmcp/engine/settings"
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
	model       model.Embedder
	modelDir    string // folder of the embedding model
	free        func(dir string) (int64, error)
	idle, retry time.Duration
	release     time.Duration
	refresh     time.Duration
	battery     func() (bool, error)
}

// WithModel returns options with another embedding model. Benchmarks use a faster model.
func (o Options) WithModel(m model.Embedder) Options {
	o.model = m
	return o
}

// Engine is safe for concurrent use.
type Engine struct {
	*project.Registry
	*sources.Sources
	*jobs.Hub

	opt      Options
	log      *slog.Logger
	heavy    *semaphore.Weighted
	poison   *worker.Poison
	workers  map[worker.Kind]*native.Process
	lacking  atomic.Bool
	waiting  atomic.Bool   // a goroutine waits for the parsers
	static   *static.Table // table of static vectors; nil if unusable
	model    *model.Model
	cache    *cache.Cache
	settings *settings.Settings
	problems *problem.List
	throttle *throttle.Throttle

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

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
	policy.Exclude(o.Data)
	if o.free == nil {
		o.free = disk.FreeBytes
	}
	e := &Engine{opt: o, log: o.Log, Hub: jobs.NewHub(), heavy: semaphore.NewWeighted(1), asked: make(chan struct{}, 1)}
	e.problems = problem.NewList(e.Hub)
	e.ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if err := e.openShared(); err != nil {
		e.cancel()
		return nil, err
	}
	e.Registry = e.newRegistry()
	e.wg.Go(func() { e.model.Run(e.ctx) }) // after newRegistry, because a change of the model wakes the projects
	e.Sources = sources.Open(sources.Options{
		Data: o.Data, Log: o.Log, Hub: e.Hub, Projects: e.Registry,
		Added: e.settings.Folders, SetAdded: e.settings.SetFolders,
		NamedBytes: e.settings.NamedBytes(), Problem: e.problems.Add,
		Reader: worker.NewDocuments(e.workers[worker.Read], worker.ReadingTime, e.poison, e.log),
	})
	if err := e.Registry.OpenAll(ctx); err != nil {
		e.problems.Set("registry", api.New(api.Internal, "The list of indexed projects can't be read.", err.Error(), err))
	}
	var unwritable *api.Error // checked only at the start
	if errors.As(disk.Error(disk.Writable(o.Data), o.Data), &unwritable) {
		e.problems.Add(unwritable)
	}
	e.Registry.WatchConfigs()
	e.wg.Go(func() { e.Sources.Run(e.ctx) })
	e.wg.Go(func() { e.releaseWhenIdle(e.ctx) })
	e.wg.Go(func() { e.cache.Shrink(e.ctx) }) // the limit may be smaller than in the previous version
	return e, nil
}

// openShared opens the settings, the workers, the cache and the embedding model. It succeeds without a model. Then only
// text search works.
func (e *Engine) openShared() error {
	var err error
	var problems []string
	if e.settings, problems, err = settings.Open(e.opt.Data, e.log, e.settingsChanged); err != nil {
		return err
	}
	for _, p := range problems {
		e.problems.Add(api.New(api.ConfigInvalid, p, p, nil))
	}
	e.throttle = throttle.New(throttle.Options{
		OnBattery: func() bool { return e.settings.On(settings.OnBattery) },
		UnderLoad: func() bool { return e.settings.On(settings.UnderLoad) },
		Log:       e.log, Battery: e.opt.battery, MaxAge: e.opt.retry,
	})
	limit := cache.Options{MaxBytes: e.settings.CacheBytes()}
	if e.cache, err = cache.Open(filepath.Join(e.opt.Data, cacheDir, "vectors"), limit); err != nil {
		return fmt.Errorf("open vector cache: %w", err)
	}
	if err := datadir.ExcludeFromDesktopSearch(e.opt.Data, runtime.GOOS); err != nil {
		e.log.Warn("data folder not excluded from desktop search", "err", err)
	}
	crashes, err := keepCrash(e.opt.Data, e.log)
	if err != nil {
		e.log.Warn("crashes of this run are not recorded", "err", err)
	}
	if crashes >= doctor.ManyCrashes {
		text := fmt.Sprintf("Search MCP exited unexpectedly %d times in the last hour.", crashes)
		e.problems.Add(api.New(api.Internal, text, "stacks of the last one: "+filepath.Join(logsDir, lastCrash), nil))
	}
	crashers := filepath.Join(e.opt.Data, cacheDir, "crashes.json")
	if e.poison, err = worker.OpenPoison(crashers, e.opt.Version, e.log); err != nil {
		return err
	}
	e.startWorkers()
	if e.static, err = static.Bundled(); err != nil {
		e.log.Error("no static vectors", "err", err)
	}
	e.model = model.New(model.Options{
		Embedder: e.opt.model, Process: e.workers[worker.Embed], Poison: e.poison, Threads: e.settings.Threads(),
		Dir: e.opt.modelDir, Retry: e.opt.retry, Problems: e.problems, Changed: func() { e.Registry.Wake() }, Log: e.log,
	})
	return nil
}

func (e *Engine) newRegistry() *project.Registry {
	o := project.Options{
		Shared: project.Shared{
			Chunker: chunk.New(worker.NewSyntax(e.workers[worker.Parse], e.poison, e.parsersAway)),
			Hub:     e.Hub, Heavy: e.heavy, Threads: e.settings.Threads, Throttled: e.waitsFor,
			Light:   func() bool { return e.static != nil && e.settings.On(settings.Light) },
			NoModel: e.model.Missing, Free: e.opt.free, Idle: e.opt.idle, Retry: e.opt.retry,
		},
		Data: e.opt.Data, Log: e.log, Level: e.opt.Level, Embedder: e.model.Embedder, Cache: e.cache,
		Parser: worker.NewSyntax(e.workers[worker.Ask], e.poison, nil),
		Tables: vector.NewDB(worker.NewTables(e.workers[worker.Store])),
		Paused: e.settings.Paused, Parts: worker.NewParts(e.workers[worker.Unpack]).Read,
		Asked: func() { jobs.Offer(e.asked, struct{}{}) }, Refresh: e.opt.refresh,
		Misconfigured: func(p *api.Error) { e.problems.Set("configuration", p) },
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
	if e.model.Embedder != nil {
		err = e.model.Embedder.Close()
	}
	for _, p := range e.workers {
		err = errors.Join(err, p.Close())
	}
	return errors.Join(err, e.cache.Close(), releaseCrash(e.opt.Data))
}

func (e *Engine) Languages() []string { return lang.Names() }

// Problems returns the problems of the app.
func (e *Engine) Problems() []api.Error { return e.problems.All() }

// Unread returns the names of the documents that crashed the parser.
func (e *Engine) Unread() []string { return e.poison.Documents() }

// Model returns the state of the embedding model (model.Model.State).
func (e *Engine) Model() string { return e.model.State() }

func (e *Engine) waitsFor() string {
	if text := e.model.Fetching(); text != "" {
		return text
	}
	return e.throttle.Reason()
}

// Doctor examines the app and its projects. If root is not "", it examines only the project at root.
func (e *Engine) Doctor(ctx context.Context, root string) []api.Finding {
	return (&doctor.Doctor{Data: e.opt.Data, Workers: e.workers, Problems: e.Problems, Unread: e.Unread,
		Projects: e.Registry, Log: e.log}).Examine(ctx, root)
}

func (e *Engine) Settings() map[string]any { return e.settings.All() }

func (e *Engine) SetSettings(changes map[string]any) (map[string]any, error) {
	if err := e.settings.Set(changes); err != nil {
		return nil, err
	}
	return e.settings.All(), nil
}

func (e *Engine) settingsChanged(paused bool) {
	if e.model.Embedder != nil {
		e.model.Embedder.SetThreads(e.settings.Threads())
	}
	e.throttle.Reset()
	e.Registry.Wake() // the setting may have stopped the computation of vectors
	if paused {
		e.Registry.ApplyPause()
	}
	e.Sources.Reset(e.settings.NamedBytes())
	e.Hub.Publish(api.Event{Kind: api.EventSettings})
}

func (e *Engine) Paused() bool { return e.settings.Paused() }

// Pause pauses the project at root, or all projects if root is "".
func (e *Engine) Pause(root string) error { return e.setPaused(root, true) }

func (e *Engine) Resume(root string) error { return e.setPaused(root, false) }

func (e *Engine) setPaused(root string, on bool) error {
	if root != "" {
		return e.Registry.SetPaused(root, on)
	}
	return e.settings.Set(map[string]any{settings.Paused: on})
}
