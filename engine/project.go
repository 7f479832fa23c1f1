package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"

	"gopkg.in/natefinch/lumberjack.v2"

	"searchmcp/engine/api"
	"searchmcp/engine/index"
	"searchmcp/engine/jobs"
	"searchmcp/engine/scan"
	"searchmcp/engine/store/files"
)

// projectFolder is a SHA-256 prefix: 32 hex digits, 16 in indexes of earlier versions (RFC 3.1).
var projectFolder = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{16})$`)

// projectFile keeps what the RFC's files have no field for.
const projectFile = "project.json"

// record is project.json.
type record struct {
	Name        string `json:"name"`
	Root        string `json:"root"`
	AlwaysAllow bool   `json:"alwaysAllow,omitempty"` // a person said «always allow for this project» to create_index
	Paused      bool   `json:"paused,omitempty"`
	Shared      string `json:"shared,omitempty"` // where a shared index lies that a person has laid under this project
}

// roots are a project's folders: its own and those that its configuration adds.
func (r record) roots(c api.Config) []api.Root {
	return append([]api.Root{{Path: r.Root}}, c.ExtraRoots...)
}

// project is one registered project: its actor and what belongs to it.
type project struct {
	id   string
	dir  string
	name string

	actor   *index.Actor
	logs    io.Closer
	ctx     context.Context // ends with the project
	cancel  context.CancelFunc
	stopped chan struct{} // closed when actor, watcher and pump have ended

	configuring sync.Mutex // held while a configuration that was edited by hand is put into force; taken before mu

	mu      sync.Mutex
	rec     record
	running map[api.Action]*jobs.Job
	watch   *watching

	setSharing sync.Mutex              // held while a shared index is added or removed; taken before mu
	sharing    atomic.Pointer[sharing] // nil: none

	mending atomic.Bool // the project is being opened anew because its index is damaged
}

func (p *project) root() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rec.Root
}

func (p *project) snapshot() api.Project { return p.actor.Snapshot() }

func (p *project) closeLog() {
	if p.logs != nil {
		_ = p.logs.Close() // the log is the last to go; there is nowhere left to report it
	}
}

// saveRecord changes and writes project.json.
func (p *project) saveRecord(change func(*record)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	rec := p.rec
	change(&rec)
	if err := files.WriteJSON(filepath.Join(p.dir, projectFile), rec); err != nil {
		return fmt.Errorf("write project record: %w", err)
	}
	p.rec = rec
	return nil
}

// projectLog opens the project's rolling log (RFC 3.1, logs/): 2 MB a file, three kept, enough for weeks of a busy
// project and small enough to attach to a report.
func (e *Engine) projectLog(dir string) (*slog.Logger, io.Closer) {
	w := &lumberjack.Logger{Filename: filepath.Join(dir, logsDir, "index.log"), MaxSize: 2, MaxBackups: 3}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: e.opt.Level})), w
}

// openExisting registers the project that stands in a folder under indexes/.
func (e *Engine) openExisting(ctx context.Context, id string) error {
	dir := filepath.Join(e.opt.Data, indexesDir, id)
	var rec record
	err := files.ReadJSON(filepath.Join(dir, projectFile), &rec)
	if err != nil {
		// One of an earlier version, or damaged: what else is known of the project stands in the metadata.
		var merr error
		if rec, merr = recordOfMetadata(dir); merr == nil {
			merr = files.WriteJSON(filepath.Join(dir, projectFile), rec)
		}
		if errors.Is(err, fs.ErrNotExist) && errors.Is(merr, fs.ErrNotExist) {
			return nil // an empty folder: a creation that did not come as far as its record
		}
		if merr != nil {
			return fmt.Errorf("read project record: %w", errors.Join(err, merr))
		}
	}
	return e.openMended(ctx, id, rec, nil)
}

// recordOfMetadata makes a record for an index that has none: one made by an earlier version.
func recordOfMetadata(dir string) (record, error) {
	m, err := files.ReadMetadata(dir)
	if err != nil {
		return record{}, err
	}
	if m.ProjectPath == "" {
		return record{}, fs.ErrNotExist
	}
	return record{Name: filepath.Base(m.ProjectPath), Root: m.ProjectPath}, nil
}

// start opens a project's store and sets its goroutines going. mended is what was moved aside for it, nil for nothing.
func (e *Engine) start(ctx context.Context, id string, rec record, mended error) (*project, error) {
	dir := filepath.Join(e.opt.Data, indexesDir, id)
	if err := os.MkdirAll(filepath.Join(dir, logsDir), 0o700); err != nil {
		return nil, fmt.Errorf("make project folder: %w", err)
	}
	log, closer := e.projectLog(dir)
	cfg, warnings := e.loadConfig(dir, nil)
	p := &project{
		id: id, dir: dir, name: rec.Name, logs: closer, rec: rec, stopped: make(chan struct{}),
		running: map[api.Action]*jobs.Job{},
	}
	actor, err := index.Open(ctx, index.Options{
		ID: id, Dir: dir, Name: rec.Name, Roots: rec.roots(cfg), Config: cfg, Warnings: warnings,
		Store: e.storeOptions(dir, log), Chunker: e.chunker, Embedder: e.indexEmbedder(), Vectors: e.vectorCache(),
		Hub: e.hub, Heavy: e.heavy, Log: log, Paused: rec.Paused || e.paused.Load(), AlwaysAllow: rec.AlwaysAllow,
		Quarantined: mended, OnDamage: func(err error) { e.mend(p, err) }, OnRootGone: p.checkRoots,
		Threads: func() int { return e.settings.number(settingThreads) }, Throttled: e.rest.why, Free: e.opt.free, Idle: e.opt.idle, Retry: e.opt.retry,
		Backoff: e.crash.halvings(),
	})
	if err != nil {
		closer.Close()
		return nil, err
	}
	p.actor = actor
	p.ctx, p.cancel = context.WithCancel(e.ctx)
	e.followConfig(p.ctx, p)
	if rec.Shared != "" {
		if err := e.startSharing(p.ctx, p, rec.Shared, log); err != nil {
			log.Error("shared index not opened, its files are indexed here", "err", err)
		}
	}
	e.run(p.ctx, p, log)
	e.mu.Lock()
	e.projects[id] = p
	delete(e.broken, id)
	e.mu.Unlock()
	e.hub.Publish(api.Event{Kind: api.EventProject, ProjectID: id, Project: ptr(actor.Snapshot())})
	return p, nil
}

func ptr[T any](v T) *T { return &v }

// run starts the project's goroutines. The actor ends last, so that what the watcher has handed over is kept.
func (e *Engine) run(ctx context.Context, p *project, log *slog.Logger) {
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		defer close(p.stopped)
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); e.watchProject(ctx, p, log) }()
		if err := p.actor.Run(ctx); err != nil {
			log.Error("project did not close cleanly", "err", err)
		}
		wg.Wait()
		if s := p.sharing.Load(); s != nil {
			<-s.done
		}
	}()
}

// startJob starts work as the project's job of that kind, or returns the one that runs. After one that was cancelled it
// begins when that has ended.
func (e *Engine) startJob(p *project, action api.Action,
	work func(context.Context, *jobs.Job) (api.IndexStats, error)) *jobs.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	former := p.running[action]
	if former != nil && !former.Ending() {
		return former
	}
	e.wg.Add(1)
	j := jobs.Start(e.ctx, e.hub, p.id, action, func(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
		if former != nil {
			select {
			case <-former.Done():
			case <-ctx.Done():
				return api.IndexStats{}, context.Cause(ctx)
			}
		}
		return work(ctx, j)
	})
	p.running[action] = j
	go func() {
		defer e.wg.Done()
		<-j.Done()
		p.mu.Lock()
		if p.running[action] == j {
			delete(p.running, action)
		}
		p.mu.Unlock()
	}()
	return j
}

// job returns the running job of a kind.
func (p *project) job(action api.Action) *jobs.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running[action]
}

// awaitEnding waits for a job that was cancelled; one that runs is not waited for.
func (p *project) awaitEnding(ctx context.Context, a api.Action) error {
	j := p.job(a)
	if j == nil || !j.Ending() {
		return nil
	}
	select {
	case <-j.Done():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *project) jobs() []*jobs.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]*jobs.Job, 0, len(p.running))
	for _, j := range p.running {
		out = append(out, j)
	}
	return out
}

// byRoot finds the project of a root, by its folder's name: new ones have 32 hex digits, legacy ones 16.
func (e *Engine) byRoot(root string) *project {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if p := e.projects[scan.ProjectID(root)]; p != nil {
		return p
	}
	return e.projects[scan.LegacyID(root)]
}
