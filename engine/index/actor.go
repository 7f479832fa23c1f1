package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/store"
)

type Embedder interface {
	// Texts computes the vectors of texts. It calls f once for each text, in any order, and never concurrently.
	Texts(ctx context.Context, texts []string, f func(i int, v api.Vector)) error
	// ModelHash identifies the model and the format of its input. If the hash changes, all vectors are computed again.
	ModelHash() string
	// Input returns the model's input for a chunk.
	Input(c api.Chunk) string
}

// Vectors is a cache of vectors for all projects. The key of a vector is the model's input.
type Vectors interface {
	Get(ctx context.Context, model string, inputs []string) (map[int]api.Vector, error)
	Put(ctx context.Context, model string, inputs []string, vectors []api.Vector) error
}

// Shared contains the options that all projects have in common.
type Shared struct {
	Chunker   *chunk.Chunker
	Hub       *jobs.Hub
	Heavy     *semaphore.Weighted             // limits reading and splitting of files to one project at a time
	Threads   func() int                      // maximum number of files to read concurrently; 0 means one per core
	Throttled func() string                   // a sentence that explains why embedding must wait, or ""
	Light     func() bool                     // reports whether to compute only static vectors, without the model
	NoModel   func() *api.Error               // why the embedding model is unavailable, or nil; must not block
	Free      func(dir string) (int64, error) // free disk space in bytes
	Idle      time.Duration                   // idle time before maintenance; the default is idleAfter
	Retry     time.Duration                   // time between attempts to compute vectors; the default is retryVectors
}

// Options contains the options of a project's actor.
type Options struct {
	Shared
	ID       string // name of the project's folder in indexes/
	Dir      string
	Name     string
	Roots    []api.Root
	Config   api.Config
	Warnings []string // errors in the project's configuration
	Problem  *api.Error
	Store    store.Options
	Embedder Embedder // nil if the project has only text search
	Vectors  Vectors
	Log      *slog.Logger
	Paused   bool
	// AlwaysAllow means that create_index needs no confirmation.
	AlwaysAllow bool
	// Quarantined is not nil if damaged files of the index were renamed. The actor indexes the missing content again.
	Quarantined error
	// OnDamage is called when the index is damaged and has to be opened again. The function must not block.
	OnDamage func(error)
	// OnScan is called when a scan of the whole project begins. Its result is called when the changes found by the scan
	// are indexed. Both functions must return without waiting for the actor.
	OnScan func() (indexed func())
	// Walked, if not nil, returns the result of an earlier scan of the whole project, and whether it is still valid.
	Walked func() (scan.Changes, bool)
	// OnRootGone is called when a root folder is missing. The function must not block.
	OnRootGone func()
}

type Actor struct {
	opt    Options
	log    *slog.Logger
	store  atomic.Pointer[store.Store]
	tree   atomic.Pointer[Tree]
	config atomic.Pointer[api.Config]

	requests     chan request
	forceReindex atomic.Bool // index even unchanged files
	vectorWake   chan struct{}
	stopped      chan struct{}
	omitted      *omitted
	locked       *lockedFiles
	links        atomic.Int32                 // number of symbolic links at the last warning
	shared       atomic.Pointer[SharedLookup] // nil if the project has no shared index
	backoff      atomic.Int32                 // the concurrency is divided by 2^backoff after memory has run out
	checkDue     atomic.Bool                  // maintenance must check the store
	compared     atomic.Bool                  // the watcher has requested a scan of the whole project since Open
	checkpointed time.Time                    // time of the last commit before the last checkpoint; used only by Run
	purged       time.Time                    // time of the last purge; used only by Run

	mu             sync.Mutex
	status         status
	vectorsChanged chan struct{} // closed and replaced after an attempt to store vectors
	snapshot       atomic.Pointer[api.Project]
	publishing     sync.Mutex // locked while a snapshot is created and published
}

type status struct {
	shown      api.Project
	paused     bool
	configErr  *api.Error
	offlineErr *api.Error
	missing    []*api.Error
	vectorErr  *api.Error
	updateErr  *api.Error
	repairErr  *api.Error // not nil while the content of damaged files is indexed again
	repaired   *api.Error // a notice that a repair has finished
	job        *jobs.Job
	building   bool
	pending    int
	deferred   int // number of changes that are delayed by the indexing strategy
	rules      []string
	resume     chan struct{} // closed by Resume; nil if not paused
	running    context.Context
	pause      context.CancelCauseFunc // cancels running
}

type request struct {
	ctx  context.Context
	work func(ctx context.Context) error
	done chan error
}

var ErrClosed = errors.New("the project is closed")

func Open(ctx context.Context, o Options) (*Actor, error) {
	tree, err := NewTree(o.Roots, o.Config)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, o.Dir, o.Store)
	if err != nil {
		return nil, fmt.Errorf("open project store: %w", err)
	}
	a := &Actor{
		opt: o, log: o.Log,
		requests: make(chan request), vectorWake: make(chan struct{}, 1), stopped: make(chan struct{}),
		vectorsChanged: make(chan struct{}), locked: newLockedFiles(),
	}
	a.opt.Idle, a.opt.Retry = cmp.Or(o.Idle, idleAfter), cmp.Or(o.Retry, retryVectors)
	a.checkDue.Store(true)
	if a.omitted, err = openOmitted(o.Dir,
		func(path string) bool { _, ok := st.CorpusOf(path); return ok }); err != nil {
		a.log.Warn("list of partially indexed files not readable", "err", err)
	}
	a.tree.Store(tree)
	a.store.Store(st)
	cfg := o.Config
	a.config.Store(&cfg)
	a.status = status{
		paused: o.Paused, configErr: o.Problem,
		shown: api.Project{ID: o.ID, Name: o.Name, Warnings: o.Warnings, Strategy: o.Config.IndexingStrategy,
			AlwaysAllow: o.AlwaysAllow},
		building: st.Metadata().LastFullIndex.IsZero() || o.Quarantined != nil || textLost(st),
	}
	if o.Quarantined != nil {
		a.status.repairErr, a.status.repaired = api.ErrIndexCorrupt(o.Quarantined), repaired(o.Quarantined)
	}
	a.status.running, a.status.pause = context.WithCancelCause(context.Background())
	if o.Paused {
		a.status.resume = make(chan struct{})
		a.status.pause(errPaused)
	}
	if err := st.VectorProblem(); err != nil {
		a.status.vectorErr = vectorError(err)
	}
	a.publish()
	return a, nil
}

func textLost(st *store.Store) bool {
	m := st.Metadata()
	return st.Stats().Files == 0 && m.Stats.TotalFiles+m.DocsStats.TotalDocs > 0
}

func (a *Actor) Incomplete() bool { return a.now().building }

// Run serves requests until ctx ends. It then closes the store.
func (a *Actor) Run(ctx context.Context) error {
	defer close(a.stopped)
	vctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { a.vectorLoop(vctx) })
	a.wakeVectors()
	idle := time.NewTimer(a.opt.Idle)
	defer idle.Stop()
	for {
		select {
		case r := <-a.requests:
			r.done <- a.serve(ctx, r)
			idle.Reset(a.opt.Idle)
		case <-a.locked.due.C:
			a.retryLocked(ctx)
		case <-idle.C:
			err := a.serve(ctx, request{ctx: ctx, work: func(ctx context.Context) error { a.maintain(ctx); return nil }})
			if err != nil && ctx.Err() == nil {
				a.log.Error("index maintenance failed", "err", err)
			}
			if a.checkDue.Load() && a.embedding() {
				idle.Reset(a.opt.Idle)
			}
		case <-ctx.Done():
			cancel()
			wg.Wait()
			return a.store.Load().Close()
		}
	}
}

func (a *Actor) serve(ctx context.Context, r request) (err error) {
	rctx, cancel := context.WithCancelCause(r.ctx)
	stop := context.AfterFunc(ctx, func() { cancel(ErrClosed) })
	defer func() {
		stop()
		cancel(nil)
		if p := recover(); p != nil {
			a.log.Error("request of the index panicked", "panic", p, "stack", string(debug.Stack()))
			err = api.New(api.Internal, "Something went wrong while indexing.", fmt.Sprintf("panic in index: %v", p), nil)
		}
		a.publish()
	}()
	if err := rctx.Err(); err != nil {
		return context.Cause(rctx)
	}
	return r.work(rctx)
}

func (a *Actor) do(ctx context.Context, work func(ctx context.Context) error) error {
	r := request{ctx: ctx, work: work, done: make(chan error, 1)}
	select {
	case a.requests <- r:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-a.stopped:
		return ErrClosed
	}
	return <-r.done
}

func (a *Actor) View() *store.View { return a.store.Load().View() }

func (a *Actor) Store() *store.Store { return a.store.Load() }

func (a *Actor) Tree() *Tree { return a.tree.Load() }

func (a *Actor) Config() api.Config { return *a.config.Load() }

// Snapshot returns the last published state, with the current progress.
func (a *Actor) Snapshot() api.Project {
	p := *a.snapshot.Load()
	if j := a.now().job; j != nil && p.Progress != nil {
		progress := j.Progress()
		p.Progress = &progress
	}
	return p
}

func (a *Actor) now() status {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.status
}

func (a *Actor) change(f func(*status)) {
	a.mu.Lock()
	f(&a.status)
	a.mu.Unlock()
	a.publish()
}

// Pause stops indexing and embedding. Files that are already read are committed first.
func (a *Actor) Pause() {
	a.change(func(f *status) {
		if !f.paused {
			f.paused, f.resume = true, make(chan struct{})
			f.pause(errPaused)
		}
	})
	a.notifyVectorsChanged() // wake a job that waits for vectors
}

func (a *Actor) Resume() {
	a.change(func(f *status) {
		if f.paused {
			f.paused = false
			close(f.resume)
			f.resume = nil
			f.running, f.pause = context.WithCancelCause(context.Background())
		}
	})
	a.wakeVectors()
	a.notifyVectorsChanged()
}

func (a *Actor) awaitResume(ctx context.Context) error {
	for {
		wait := a.now().resume
		if wait == nil {
			return ctx.Err()
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func vectorError(err error) *api.Error {
	return api.Known(err, "Search by meaning isn't available for this project; search by words works.")
}

func (a *Actor) embeds() bool { return a.opt.Embedder != nil && !a.opt.Light() }

// publish sends a snapshot of the status to clients if the status has changed.
func (a *Actor) publish() {
	a.publishing.Lock()
	defer a.publishing.Unlock()
	p := a.buildSnapshot()
	old := a.snapshot.Swap(&p)
	if old == nil || !sameSnapshot(*old, p) {
		a.opt.Hub.Publish(api.Event{Kind: api.EventProject, ProjectID: a.opt.ID, Project: &p})
	}
}

func (a *Actor) buildSnapshot() api.Project {
	st := a.store.Load()
	stats, meta, left := st.Stats(), st.Metadata(), a.omitted.shown()
	a.mu.Lock()
	defer a.mu.Unlock()
	f := &a.status
	noModel, static := a.opt.NoModel(), min(stats.Static, stats.Chunks-stats.Vectors)
	switch {
	case a.opt.Light():
		static, stats.Vectors = stats.Static, stats.Static
	case noModel != nil:
		static = stats.Static
	}
	p := f.shown
	p.Roots, p.Warnings, p.Pending = a.tree.Load().Roots(), slices.Concat(p.Warnings, f.rules), f.pending+f.deferred
	p.Files, p.Chunks, p.DocFiles, p.DocChunks = stats.Files, stats.Chunks, stats.DocFiles, stats.DocChunks
	p.Vectors, p.Static, p.SizeBytes = stats.Vectors, static, stats.SizeBytes
	p.CreatedAt, p.LastFull = meta.CreatedAt, meta.LastFullIndex
	p.LastUpdated = slices.MaxFunc([]time.Time{meta.LastIncrementalUpdate, meta.LastFullIndex}, time.Time.Compare)
	p.Skipped, p.Examples = left.skipped, left.examples
	p.Partial, p.PartialFiles = left.partial, left.partialFiles
	p.Notices = append(slices.Clone(f.missing), notices(p, a.config.Load().MaxFiles)...)
	if limit := a.config.Load().MaxFiles; stats.Files > limit {
		p.Warnings = append(p.Warnings, fmt.Sprintf(
			"The project has grown to %d files, more than maxFiles (%d). All of them are indexed. Exclude some files, or "+
				"raise the limit.", stats.Files, limit))
	}
	if f.job != nil {
		progress := f.job.Progress()
		p.Progress = &progress
	}
	vectorErr := f.vectorErr
	if noModel != nil && vectorErr != nil && vectorErr.Code == noModel.Code {
		vectorErr = noModel
	}
	switch {
	case f.offlineErr != nil:
		p.State, p.Problem = api.StateOffline, f.offlineErr
	case f.configErr != nil:
		p.State, p.Problem = api.StatePaused, f.configErr
	case f.paused:
		p.State = api.StatePaused
	case f.building || (p.Progress != nil && p.Progress.Action == api.ActionReindex):
		p.State, p.Problem = api.StateIndexing, f.repairErr
	case f.updateErr != nil:
		p.State, p.Problem = api.StateStalled, f.updateErr
	case vectorErr != nil && vectorErr.Code == api.DiskFull: // searches can use the existing vectors
		p.State, p.Problem = api.StateStalled, vectorErr
	case vectorErr != nil:
		p.State, p.Problem = api.StateDegraded, vectorErr
	case noModel != nil && stats.Chunks > 0 && !a.opt.Light():
		p.State, p.Problem = api.StateDegraded, noModel
	case stats.Vectors < stats.Chunks && a.embeds():
		p.State, p.Problem = api.StateEmbedding, f.repairErr
	default:
		p.State = api.StateReady
	}
	if f.repaired != nil && (p.Problem == nil || p.Problem.Code != api.IndexCorrupt) {
		notice := f.repaired
		if f.building && f.repairErr != nil { // report damage until its repair has finished
			notice = f.repairErr
		}
		p.Notices = append(p.Notices, notice)
	}
	return p
}

func repaired(damage error) *api.Error {
	const beginning = "LanceDB read error - "
	detail := strings.TrimPrefix(damage.Error(), string(api.IndexCorrupt)+": "+beginning)
	return api.New(api.IndexCorrupt, "A part of the search index was damaged and has been rebuilt.",
		beginning+detail, damage)
}

func notices(p api.Project, maxFiles int) []*api.Error {
	var list []*api.Error
	if n := p.Skipped[api.SkipUnreadable]; n > 0 {
		names := p.Examples[api.SkipUnreadable]
		at := strings.Join(names, ", ")
		if more := n - len(names); more > 0 {
			at += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, api.ErrPermission(at, nil))
	}
	if p.Files > maxFiles {
		list = append(list, api.ErrFileLimit(p.Files, maxFiles))
	}
	return list
}

// sameSnapshot reports whether a and b are equal, apart from sizes and progress.
func sameSnapshot(a, b api.Project) bool {
	for _, p := range []*api.Project{&a, &b} {
		p.SizeBytes, p.Updated = 0, 0
		if p.Progress != nil {
			p.Progress = &api.Progress{}
		}
	}
	return reflect.DeepEqual(a, b)
}
