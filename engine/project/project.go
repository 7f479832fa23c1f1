package project

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/index"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/history"
	"searchmcp/engine/store"
	"searchmcp/engine/store/files"
)

const projectFile = "project.json"

// record is the content of project.json.
type record struct {
	Name        string `json:"name"`
	Root        string `json:"root"`
	AlwaysAllow bool   `json:"alwaysAllow,omitempty"`
	Paused      bool   `json:"paused,omitempty"`
	Shared      string `json:"shared,omitempty"`

	Asked time.Time `json:"asked,omitzero"` // time of the last search
}

func (r record) roots(c api.Config) []api.Root {
	return append([]api.Root{{Path: r.Root}}, c.ExtraRoots...)
}

type Project struct {
	id   string
	dir  string
	name string

	actor     *index.Actor
	documents *documents
	history   *history.Source
	tracked   tracked
	log       *slog.Logger
	logs      io.Closer
	ctx       context.Context // ends when the project is closed
	cancel    context.CancelFunc
	stopped   chan struct{} // closed when all goroutines of the project have ended

	compared context.Context // ends when the first scan after the start is complete
	endStart context.CancelFunc

	configuring sync.Mutex // locked before mu while a configuration is applied

	mu      sync.Mutex
	rec     record
	saved   time.Time // rec.Asked on disk
	running map[api.Action]*jobs.Job
	watch   *watching

	subscribing  sync.Mutex // locked before mu while a shared index is added or removed
	subscription atomic.Pointer[subscription]

	misconfigured atomic.Pointer[api.Error]

	repairing atomic.Bool // the index is damaged, and the project is being opened again
}

func (p *Project) root() string { return p.record().Root }

func (p *Project) record() record {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rec
}

func (p *Project) Dir() string { return p.dir }

func (p *Project) Snapshot() api.Project {
	s := p.actor.Snapshot()
	s.LastAsked = p.record().Asked
	if p.history == nil { // the project is still being opened
		return s
	}
	if note := p.history.Note(); note != "" {
		s.Warnings = append(slices.Clone(s.Warnings), note)
	}
	return s
}

// saveAskedEvery is how often the time of the last search is written to disk while a project is searched. It is also
// written when the project is closed.
const saveAskedEvery = 5 * time.Minute

// asked records a search that the project has answered.
func (p *Project) asked() {
	p.mu.Lock()
	p.rec.Asked = time.Now()
	p.mu.Unlock()
	p.saveAsked(saveAskedEvery)
}

// saveAsked writes the time of the last search to disk if the time on disk is older by more than late.
func (p *Project) saveAsked(late time.Duration) {
	p.mu.Lock()
	due := p.rec.Asked.Sub(p.saved) > late
	p.mu.Unlock()
	if !due {
		return
	}
	if err := p.saveRecord(func(*record) {}); err != nil {
		p.log.Warn("last use not recorded", "err", err)
	}
}

func (p *Project) Actor() *index.Actor { return p.actor }

func (p *Project) saveRecord(change func(*record)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	rec := p.rec
	change(&rec)
	if err := files.WriteJSON(filepath.Join(p.dir, projectFile), rec); err != nil {
		return fmt.Errorf("write project record: %w", err)
	}
	p.rec, p.saved = rec, rec.Asked
	return nil
}

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

// start opens a project. damage is not nil if damaged files of the index were renamed.
func (r *Registry) start(ctx context.Context, id string, rec record, damage error) (*Project, error) {
	dir := filepath.Join(r.opt.Data, Dir, id)
	if err := os.MkdirAll(filepath.Join(dir, logsDir), 0o700); err != nil {
		return nil, fmt.Errorf("make project folder: %w", err)
	}
	closer := disk.Log(logFile(dir), 2) // RFC 3.1; 2 MB contain the entries of some weeks
	log := slog.New(slog.NewTextHandler(closer, &slog.HandlerOptions{Level: r.opt.Level}))
	cfg := r.loadConfig(dir, nil)
	for _, w := range cfg.warnings {
		log.Warn("configuration", "warning", w)
	}
	p := &Project{
		id: id, dir: dir, name: rec.Name, log: log, logs: closer, rec: rec, saved: rec.Asked,
		stopped: make(chan struct{}), running: map[api.Action]*jobs.Job{}, documents: r.documents,
	}
	p.compared, p.endStart = context.WithCancel(context.Background())
	actor, err := index.Open(ctx, index.Options{
		ID: id, Dir: dir, Name: rec.Name, Roots: rec.roots(cfg.Config), Config: cfg.Config,
		Warnings: cfg.warnings, Problem: cfg.problem,
		Shared: r.opt.Shared, Store: r.storeOptions(log), Embedder: r.opt.Embedder, Vectors: r.opt.Cache,
		Log: log, Paused: rec.Paused || cfg.problem != nil || r.opt.Paused(),
		AlwaysAllow: rec.AlwaysAllow,
		Quarantined: damage, OnDamage: func(err error) { r.repair(p, err) }, OnScan: p.onScan, OnRootGone: p.checkRoots,
		Walked: func() (scan.Changes, bool) { return r.walked(p) },
	})
	if err != nil {
		closer.Close()
		return nil, err
	}
	p.actor = actor
	r.keepConfig(dir)
	p.misconfigured.Store(cfg.problem)
	p.ctx, p.cancel = context.WithCancel(r.ctx)
	p.history = history.NewSource(p.ctx, r.wg.Go, p.historyFolders, log)
	context.AfterFunc(p.ctx, r.configs.Add(filepath.Join(dir, files.ConfigName), func() { r.reloadIfChanged(p) }))
	if rec.Shared != "" {
		if err := r.subscribe(p.ctx, p, rec.Shared, log); err != nil {
			log.Error("shared index not opened, indexing its files", "err", err)
		}
	}
	r.run(p.ctx, p, log)
	r.mu.Lock()
	r.projects[id] = p
	delete(r.broken, id)
	r.mu.Unlock()
	r.reloadIfChanged(p) // the file may have changed before the watch began
	snap := actor.Snapshot()
	r.opt.Hub.Publish(api.Event{Kind: api.EventProject, ProjectID: id, Project: &snap})
	return p, nil
}

func (r *Registry) run(ctx context.Context, p *Project, log *slog.Logger) {
	r.wg.Go(func() {
		defer close(p.stopped)
		var wg sync.WaitGroup
		wg.Go(func() { p.runWatching(ctx, log) })
		if err := p.actor.Run(ctx); err != nil {
			log.Error("project did not close cleanly", "err", err)
		}
		wg.Wait()
		if s := p.subscription.Load(); s != nil {
			<-s.done
		}
		p.saveAsked(0)
	})
}

func (r *Registry) LogFile(root string) (string, error) {
	p, err := r.get(root)
	if err != nil {
		return "", err
	}
	return logFile(p.dir), nil
}

func logFile(dir string) string { return filepath.Join(dir, logsDir, "index.log") }

func (r *Registry) storeOptions(log *slog.Logger) store.Options {
	o := store.Options{
		ChunkerVersion: chunk.Version, Cache: r.opt.Cache, Tables: r.opt.Tables, Log: log,
		Priority: vectorPriority, Static: r.opt.Static,
	}
	if r.opt.Embedder != nil {
		o.ModelHash, o.Input = r.opt.Embedder.ModelHash(), r.opt.Embedder.Input
	}
	return o
}
