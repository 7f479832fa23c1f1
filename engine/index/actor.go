package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/store"
)

// Embedder makes vectors of texts. engine/index/embed/onnx implements it.
type Embedder interface {
	// Texts calls the function each with the index and the vector of every text, in any order, and one call at a time.
	Texts(ctx context.Context, texts []string, each func(i int, v api.Vector)) error
	// ModelHash identifies the model and the form of its input. Vectors with different hashes are never compared.
	ModelHash() string
	// Input returns the model's input for a chunk.
	Input(c api.Chunk) string
}

// Vectors is the content-addressed cache of vectors that all projects share.
type Vectors interface {
	Get(ctx context.Context, model string, inputs []string) (map[int]api.Vector, error)
	Put(ctx context.Context, model string, inputs []string, vectors []api.Vector) error
}

// Options configures an Actor. All fields are required unless marked otherwise.
type Options struct {
	ID       string // name of the project's folder under indexes/
	Dir      string
	Name     string
	Roots    []api.Root
	Config   api.Config
	Warnings []string // faults of the configuration
	// Problem is the reason why no valid configuration is known, or nil.
	Problem  *api.Error
	Store    store.Options
	Chunker  *chunk.Chunker
	Embedder Embedder // nil for text search only
	Vectors  Vectors
	Hub      *jobs.Hub
	Heavy    *semaphore.Weighted // of weight 1; limits heavy text phases to one project at a time
	Log      *slog.Logger
	// Paused makes the actor start paused.
	Paused bool
	// AlwaysAllow is only shown in the snapshot.
	AlwaysAllow bool
	// Quarantined is the reason why a part of the index was quarantined before Open and must be indexed again, or nil.
	Quarantined error
	// OnDamage is called with an INDEX_CORRUPT error that cannot be repaired while the store is open. It must not block.
	// Optional.
	OnDamage func(error)
	// OnScan is called when a comparison of the whole project begins. The returned function is called when the current
	// generation has all differences. Neither must wait for the actor. Optional.
	OnScan func() (indexed func())
	// OnRootGone is called when a scan finds that a root is missing. It must not block. Optional.
	OnRootGone func()
	// Threads returns the user's limit on the number of files read concurrently, or 0 for no limit. Optional.
	Threads func() int
	// Throttled returns the reason why embedding must wait, as a sentence, or "". Optional.
	Throttled func() string
	// Light reports whether only static vectors are made. Optional.
	Light func() bool
	// NoModel returns the reason why semantic search is unavailable, or nil. It must not block. Optional.
	NoModel func() *api.Error
	// Free returns the number of bytes available to a folder. Nil means disk.FreeBytes.
	Free func(dir string) (int64, error)
	// Idle is the time without work before maintenance. Retry is the delay of the vector loop after a failure. Zero means
	// the default.
	Idle, Retry time.Duration
}

// Actor indexes one project. Its exported methods are safe for concurrent use.
type Actor struct {
	opt    Options
	log    *slog.Logger
	store  atomic.Pointer[store.Store]
	tree   atomic.Pointer[Tree]
	config atomic.Pointer[api.Config]

	requests     chan request
	forceReindex atomic.Bool   // the current request ignores known content
	vectorWake   chan struct{} // signals that chunks may lack vectors
	stopped      chan struct{} // closed when Run has returned
	skips        *skipCache
	omitted      *omitted
	locked       *lockedFiles
	links        atomic.Int32                 // last logged number of symbolic links
	shared       atomic.Pointer[SharedLookup] // nil without a shared index
	backoff      atomic.Int32                 // concurrent work is divided by 2^backoff, to save memory
	checkDue     atomic.Bool                  // the next maintenance must compare the stores
	checkpointed time.Time                    // last commit in a checkpoint, for Run's goroutine
	purged       time.Time                    // time of the last purge of deleted text, for Run's goroutine

	mu             sync.Mutex
	status         status
	onPause        map[*int]func() // cancels the running work on a pause
	vectorsChanged chan struct{}   // closed and replaced when vectors were stored or cannot be made
	snapshot       atomic.Pointer[api.Project]
	publishing     sync.Mutex // keeps snapshots in order
}

// status contains the fields of the project's snapshot that the store does not provide.
type status struct {
	paused      bool
	configErr   *api.Error   // no valid configuration is known
	offlineErr  *api.Error   // all folders are missing
	missing     []*api.Error // some folders are missing
	vectorErr   *api.Error   // vectors or the model failed
	throttled   string       // reason why embedding must wait
	updateErr   *api.Error   // the last update failed
	repairErr   *api.Error   // a quarantined part of the index is indexed again
	repaired    *api.Error   // notice of a finished repair
	job         *jobs.Job    // running job
	building    bool         // the text of the first index is incomplete
	pending     int          // files in the current request
	updated     int          // file changes committed by updates
	deferred    int          // changed paths that the strategy defers
	warnings    []string     // faults of the configuration
	rules       []string     // problems with ignore files
	watching    bool
	watchNote   string
	strategy    api.Strategy
	alwaysAllow bool
	sharing     *api.SharedIndex
	resume      chan struct{} // closed by Resume, or nil while not paused
}

type request struct {
	ctx  context.Context
	work func(ctx context.Context) error
	done chan error
}

// ErrClosed is returned for requests after the actor has ended.
var ErrClosed = errors.New("the project is closed")

// Open opens the project's store. Run starts the work.
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
		onPause: map[*int]func(){}, vectorsChanged: make(chan struct{}), skips: newSkipCache(),
		locked: newLockedFiles(),
	}
	if a.opt.Idle <= 0 {
		a.opt.Idle = idleAfter
	}
	if a.opt.Retry <= 0 {
		a.opt.Retry = retryVectors
	}
	a.checkDue.Store(true)
	if a.omitted, err = openOmitted(o.Dir, a.skips,
		func(path string) bool { _, ok := st.CorpusOf(path); return ok }); err != nil {
		a.log.Warn("list of partially indexed files not readable", "err", err) // chunking lists the files again
	}
	a.tree.Store(tree)
	a.store.Store(st)
	cfg := o.Config
	a.config.Store(&cfg)
	a.status = status{
		paused: o.Paused, configErr: o.Problem, warnings: o.Warnings, strategy: o.Config.IndexingStrategy,
		alwaysAllow: o.AlwaysAllow,
		building:    st.Metadata().LastFullIndex.IsZero() || o.Quarantined != nil || textLost(st),
	}
	if o.Quarantined != nil {
		a.status.repairErr, a.status.repaired = api.ErrIndexCorrupt(o.Quarantined), repaired(o.Quarantined)
	}
	if o.Paused {
		a.status.resume = make(chan struct{})
	}
	if err := st.VectorProblem(); err != nil {
		a.status.vectorErr = vectorError(err)
	}
	a.publish()
	return a, nil
}

// textLost reports whether the index lost its files, because its text was lost or is in an older format.
func textLost(st *store.Store) bool {
	m := st.Metadata()
	return st.Stats().Files == 0 && m.Stats.TotalFiles+m.DocsStats.TotalDocs > 0
}

// Incomplete reports whether the text of the index is incomplete, until Build completes it.
func (a *Actor) Incomplete() bool { return a.now().building }

// Run serves requests, embeds and maintains the index until ctx ends, then closes the store.
func (a *Actor) Run(ctx context.Context) error {
	defer close(a.stopped)
	vctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); a.vectorLoop(vctx) }()
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
			a.serveMaintenance(ctx)
			if a.checkDue.Load() && a.embedding() {
				idle.Reset(a.opt.Idle)
			}
		case <-ctx.Done():
			cancel()
			wg.Wait()
			if err := a.store.Load().Close(); err != nil {
				return fmt.Errorf("close project store: %w", err)
			}
			return nil
		}
	}
}

// serve runs a request with a context that ends with the caller's or the actor's.
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

func (a *Actor) serveMaintenance(ctx context.Context) {
	err := a.serve(ctx, request{ctx: ctx, work: func(ctx context.Context) error { a.maintain(ctx); return nil }})
	if err != nil && ctx.Err() == nil {
		a.log.Error("index maintenance failed", "err", err)
	}
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
	return <-r.done // work ends soon after ctx
}

// View returns a reader of the current generation. The caller must release it.
func (a *Actor) View() *store.View { return a.store.Load().View() }

// Store returns the current generation's store.
func (a *Actor) Store() *store.Store { return a.store.Load() }

// Tree returns the project's folders with the current configuration.
func (a *Actor) Tree() *Tree { return a.tree.Load() }

// Config returns the current configuration.
func (a *Actor) Config() api.Config { return *a.config.Load() }

// Snapshot returns the last published state.
func (a *Actor) Snapshot() api.Project { return *a.snapshot.Load() }

func (a *Actor) now() status {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.status
}

// change changes the status and publishes a new snapshot.
func (a *Actor) change(f func(*status)) {
	a.mu.Lock()
	f(&a.status)
	a.mu.Unlock()
	a.publish()
}

// Pause stops indexing and embedding. Files that were already read are committed. Later changes remain pending.
func (a *Actor) Pause() {
	a.change(func(f *status) {
		if !f.paused {
			f.paused, f.resume = true, make(chan struct{})
			for _, stop := range a.onPause {
				stop()
			}
		}
	})
	a.notifyVectorsChanged() // so that a waiting job reports the pause
}

// Resume ends Pause.
func (a *Actor) Resume() {
	a.change(func(f *status) {
		if f.paused {
			f.paused = false
			close(f.resume)
			f.resume = nil
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
	return api.Known(err, "Searching by meaning isn't available for this project; searching by words works.")
}

func (a *Actor) light() bool { return a.opt.Light != nil && a.opt.Light() }

func (a *Actor) embeds() bool { return a.opt.Embedder != nil && !a.light() }

func (a *Actor) noModel() *api.Error {
	if a.opt.NoModel == nil {
		return nil
	}
	return a.opt.NoModel()
}

// publish makes a new snapshot and sends it to the hub if a visible field has changed.
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
	noModel, static := a.noModel(), min(stats.Static, stats.Chunks-stats.Vectors)
	switch {
	case a.light(): // static vectors only
		static, stats.Vectors = stats.Static, stats.Static
	case noModel != nil:
		static = stats.Static
	}
	p := api.Project{
		ID: a.opt.ID, Name: a.opt.Name, Roots: a.tree.Load().Roots(),
		Files: stats.Files, Chunks: stats.Chunks, DocFiles: stats.DocFiles, DocChunks: stats.DocChunks,
		Vectors: stats.Vectors, Static: static, SizeBytes: stats.SizeBytes, Pending: f.pending + f.deferred,
		Updated:   f.updated,
		CreatedAt: meta.CreatedAt, LastFull: meta.LastFullIndex,
		LastUpdated: latest(meta.LastIncrementalUpdate, meta.LastFullIndex),
		Strategy:    f.strategy, WatcherActive: f.watching, WatcherNote: f.watchNote,
		Waiting: f.throttled, Skipped: left.skipped, Examples: left.examples, PartialFiles: left.partialFiles,
		Partial:  left.partial,
		Warnings: slices.Concat(f.warnings, f.rules), AlwaysAllow: f.alwaysAllow, Shared: f.sharing,
	}
	p.Notices = append(slices.Clone(f.missing), notices(p, a.config.Load().MaxFiles)...)
	if limit := a.config.Load().MaxFiles; stats.Files > limit {
		p.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf(
			"The project has grown to %d files, more than maxFiles (%d). All of them are indexed; exclude some or raise the "+
				"limit.", stats.Files, limit))
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
	case vectorErr != nil && vectorErr.Code == api.DiskFull: // existing vectors are still searched
		p.State, p.Problem = api.StateStalled, vectorErr
	case vectorErr != nil:
		p.State, p.Problem = api.StateDegraded, vectorErr
	case noModel != nil && stats.Chunks > 0 && !a.light():
		p.State, p.Problem = api.StateDegraded, noModel
	case stats.Vectors < stats.Chunks && a.embeds():
		p.State, p.Problem = api.StateEmbedding, f.repairErr
	default:
		p.State = api.StateReady
	}
	if f.repaired != nil && (p.Problem == nil || p.Problem.Code != api.IndexCorrupt) {
		notice := f.repaired
		if f.building && f.repairErr != nil { // paused, or not yet begun
			notice = f.repairErr
		}
		p.Notices = append(p.Notices, notice)
	}
	return p
}

// repaired returns the notice of a finished repair. Most repairs finish before the next call and would go unnoticed.
func repaired(damage error) *api.Error {
	return api.New(api.IndexCorrupt, "A part of the search index was damaged and has been rebuilt.",
		"LanceDB read error - "+damage.Error(), damage)
}

// notices returns the errors of RFC 6.2 that do not stop indexing.
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

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// sameSnapshot reports whether two snapshots have the same visible fields, except the progress.
func sameSnapshot(a, b api.Project) bool {
	return a.State == b.State && a.Files == b.Files && a.Chunks == b.Chunks && a.Vectors == b.Vectors &&
		a.Static == b.Static && a.Pending == b.Pending && a.WatcherActive == b.WatcherActive &&
		a.WatcherNote == b.WatcherNote && a.Waiting == b.Waiting &&
		a.Strategy == b.Strategy && a.LastUpdated.Equal(b.LastUpdated) && a.AlwaysAllow == b.AlwaysAllow &&
		a.Problem == b.Problem && slices.Equal(a.Warnings, b.Warnings) && len(a.Roots) == len(b.Roots) &&
		(a.Progress == nil) == (b.Progress == nil) && a.Name == b.Name && a.Shared == b.Shared &&
		maps.Equal(a.Skipped, b.Skipped) && slices.Equal(a.Partial, b.Partial) && a.PartialFiles == b.PartialFiles &&
		maps.EqualFunc(a.Examples, b.Examples, slices.Equal)
}
