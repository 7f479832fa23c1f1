package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/chunk"
	"searchmcp/engine/index"
	"searchmcp/engine/jobs"
	"searchmcp/engine/machine"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/watch"
)

// Options is what an engine runs with.
type Options struct {
	Data string // the data folder, ~/.mcp/search by default
	Log  *slog.Logger
	// Level is the level of the projects' own logs.
	Level slog.Level

	// Tests put fakes and shorter times here.
	model       Model
	modelDir    string // where the only model is looked for
	free        func(dir string) (int64, error)
	idle, retry time.Duration
	release     time.Duration // instead of releaseAfter
	battery     machine.Battery
	load        machine.Load
}

// WithModel returns options under which another model than the bundled one makes the vectors: measurements at sizes that
// no model gets through in reasonable time make them up.
func (o Options) WithModel(m Model) Options {
	o.model = m
	return o
}

// Model is what the engine needs of engine/embed's Embedder.
type Model interface {
	index.Embedder
	Query(ctx context.Context, text string) (api.Vector, error)
	Loaded() bool
	SetThreads(n int)
	Close() error
}

// Engine owns the projects of one data folder. All methods are safe for concurrent use.
type Engine struct {
	opt      Options
	log      *slog.Logger
	hub      *jobs.Hub
	heavy    *semaphore.Weighted // one heavy text phase at a time
	chunker  *chunk.Chunker
	parsing  *parsing
	embedder Model // nil if neither library nor model can be had
	cache    *cache.Cache
	settings *settings
	rest     *rest
	sources  *sources
	crash    crash       // how the last run ended
	marked   bool        // a project's marker says that it ended there
	opened   atomic.Bool // the projects of the last run are open

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup

	configs *watch.Files // config.json of the data folder and of every project

	mu       sync.RWMutex
	projects map[string]*project      // by folder name
	broken   map[string]api.Project   // those that could not be opened, by folder name
	removals map[string]chan struct{} // closed when a project's folder has gone, by folder name
	problems []problem
	paused   atomic.Bool

	asked chan struct{} // signalled by questions
}

// Folders of the data folder (RFC 3.1) and of ours beside them.
const (
	indexesDir = "indexes"
	logsDir    = "logs"
	cacheDir   = "cache"
	// deleting is appended to the name of a project's folder before it is removed, so that a crash half way leaves
	// something that no start mistakes for an index.
	deleting = ".deleting"
)

// Open reads the registry of projects and starts each of them. It returns when every project can be searched by text;
// model and watchers follow by themselves.
func Open(ctx context.Context, o Options) (*Engine, error) {
	for _, dir := range []string{o.Data, filepath.Join(o.Data, indexesDir), filepath.Join(o.Data, cacheDir)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make data folder: %w", err)
		}
	}
	e := &Engine{
		opt: o, log: o.Log, hub: jobs.NewHub(), heavy: semaphore.NewWeighted(1), projects: map[string]*project{},
		broken: map[string]api.Project{}, removals: map[string]chan struct{}{}, configs: watch.NewFiles(o.Log),
		asked: make(chan struct{}, 1),
	}
	e.ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if err := e.openShared(ctx); err != nil {
		e.cancel()
		return nil, err
	}
	e.sources = openSources(e)
	e.openProjects(ctx)
	e.opened.Store(true)
	e.followConfigs()
	e.wg.Go(func() { e.sources.run(e.ctx) })
	e.wg.Go(func() { e.releaseWhenIdle(e.ctx) })
	return e, nil
}

// openProjects opens what stands under indexes/, a few at a time. A project that cannot be opened is kept in the list
// with its problem; it never keeps the others from starting.
func (e *Engine) openProjects(ctx context.Context) {
	entries, err := os.ReadDir(filepath.Join(e.opt.Data, indexesDir))
	if err != nil {
		e.setProblem(aboutRegistry, api.New(api.Internal, "The list of indexed projects can't be read.", err.Error(), err))
		return
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4) // opening is disk-bound; four keep a laptop's SSD busy
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() {
			continue
		}
		if filepath.Ext(name) == deleting {
			if err := os.RemoveAll(filepath.Join(e.opt.Data, indexesDir, name)); err != nil {
				e.log.Warn("rest of a deleted index not removed", "folder", name, "err", err)
			}
			continue
		}
		if !projectFolder.MatchString(name) {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			if err := e.openExisting(ctx, name); err != nil {
				e.log.Error("project not opened", "folder", name, "err", err)
			}
		}()
	}
	wg.Wait()
}

// Close stops every project, waits for them and releases what they share. A project that does not stop within ctx is
// left behind and reported.
func (e *Engine) Close(ctx context.Context) error {
	e.cancel()
	done := make(chan struct{})
	go func() { e.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		return fmt.Errorf("stop projects: %w", context.Cause(ctx))
	}
	for _, p := range e.list() {
		p.closeLog()
	}
	var err error
	if e.embedder != nil {
		err = e.embedder.Close()
	}
	return errors.Join(err, e.parsing.close(), e.cache.Close())
}

// list returns the projects ordered by name.
func (e *Engine) list() []*project {
	e.mu.RLock()
	defer e.mu.RUnlock()
	out := make([]*project, 0, len(e.projects))
	for _, p := range e.projects {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *project) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
	return out
}

// Subscribe returns the events from now on until ctx ends.
func (e *Engine) Subscribe(ctx context.Context) <-chan api.Event { return e.hub.Subscribe(ctx) }

// Publish hands an event to all subscribers.
func (e *Engine) Publish(ev api.Event) { e.hub.Publish(ev) }

// closeTimeout is how long a project may take to fold and close when it is deleted.
const closeTimeout = 30 * time.Second
