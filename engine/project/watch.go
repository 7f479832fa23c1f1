package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/store/files"
)

type watching struct {
	orchestrator *watch.Orchestrator
	watchers     []*watch.Watcher
	hints        chan watch.Batch
	cancel       context.CancelFunc
	done         chan struct{}
}

func (p *Project) head() stored[string] { return stored[string](filepath.Join(p.dir, "git-head.json")) }

func (p *Project) watching() *watching {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch
}

type stored[T any] string

func (f stored[T]) Load() (v T, err error) {
	if err = files.ReadJSON(string(f), &v); errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	return v, err
}

func (f stored[T]) Save(v T) error { return files.WriteJSON(string(f), v) }

// runWatching watches the project's files until ctx ends. After a change of the configuration, it starts new watchers.
func (p *Project) runWatching(ctx context.Context, log *slog.Logger) {
	for ctx.Err() == nil {
		<-p.startWatching(ctx, log).done
	}
	p.actor.SetWatching(false, "")
}

func (p *Project) startWatching(ctx context.Context, log *slog.Logger) *watching {
	cfg := p.actor.Config()
	notes := &watchStatus{p: p, status: map[string]watch.Status{}}
	o := watch.NewOrchestrator(watch.OrchestratorOptions{
		Root: p.root(), Strategy: cfg.IndexingStrategy, Idle: time.Duration(cfg.LazyIdleThreshold) * time.Second,
		Last: p.Snapshot().LastFull, Every: time.Duration(cfg.IntegrityInterval) * time.Hour, Paused: p.actor.Paused(),
		Dirty: stored[[]string](filepath.Join(p.dir, "dirty-files.json")), // RFC 5.7
		Head:  p.head(),
		OnStats: func(s watch.Stats) {
			p.actor.SetPending(s.Pending)
			notes.put(strategyNote, watch.Status{Active: true, Note: s.Note})
		}, Log: log,
	})
	w := &watching{orchestrator: o, hints: make(chan watch.Batch), done: make(chan struct{})}
	for prefix, policy := range p.actor.Tree().Policies() {
		w.watchers = append(w.watchers, watch.New(policy, watch.Options{
			Prefix: prefix, Log: log, OnStatus: func(s watch.Status) { notes.put(prefix, s) }, OnLeftOut: p.actor.NoteSkipped,
		}))
	}
	ctx, w.cancel = context.WithCancel(ctx)
	batches := make(chan watch.Batch)
	var wg sync.WaitGroup
	for _, one := range w.watchers {
		wg.Go(func() { one.Run(ctx, w.hints) })
	}
	wg.Go(func() { o.Run(ctx, w.hints, batches) })
	wg.Go(func() { p.pumpBatches(ctx, batches, log) })
	p.mu.Lock()
	p.watch = w
	p.mu.Unlock()
	w.orchestrator.SetPaused(p.actor.Paused())
	go func() { wg.Wait(); close(w.done) }()
	return w
}

const (
	retryMin = time.Second
	retryMax = time.Minute
)

// pumpBatches passes batches of changes to the actor. After a failure, it scans the whole project until a scan
// succeeds.
func (p *Project) pumpBatches(ctx context.Context, batches <-chan watch.Batch, log *slog.Logger) {
	for {
		var b watch.Batch
		select {
		case b = <-batches:
		case <-ctx.Done():
			return
		}
		for wait := retryMin; ; wait = min(2*wait, retryMax) {
			err := p.actor.Update(ctx, b)
			if ctx.Err() != nil {
				return
			}
			if err == nil && b.Head != "" {
				if err := p.head().Save(b.Head); err != nil {
					log.Warn("position of HEAD not saved; the next start compares all files", "err", err)
				}
			}
			if err == nil {
				if b.Rescan || b.RootGone {
					p.endStart()
				}
				break
			}
			log.Error("changes not indexed", "rescan", b.Rescan, "paths", len(b.Paths), "err", err, "next", wait)
			p.actor.SetUpdateError(err)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
			b = watch.Batch{Rescan: true, Full: b.Full, Head: b.Head, Cause: watch.CauseRestart}
		}
	}
}

// onScan is called when a scan of the whole project begins. Its result is called when the changes found by the scan are
// indexed.
func (p *Project) onScan() (indexed func()) {
	if w := p.watching(); w != nil {
		return w.orchestrator.Mark()
	}
	return func() {}
}

// offline returns an error if no root of the project can be read.
func (p *Project) offline() error {
	if snap := p.Snapshot(); snap.State == api.StateOffline && snap.Problem != nil {
		return snap.Problem
	}
	return nil
}

func (p *Project) checkRoots() {
	if w := p.watching(); w != nil {
		for _, one := range w.watchers {
			one.Check()
		}
	}
}

// changed requests indexing of paths. A search found that these files have changed without an event, for example by
// mmap or on another computer.
func (p *Project) changed(paths []string) {
	w := p.watching()
	if w == nil {
		return
	}
	go func() {
		select {
		case w.hints <- watch.Batch{Paths: paths, Cause: watch.CauseChange}:
		case <-w.done:
		}
	}()
}

const strategyNote = "strategy"

type watchStatus struct {
	p      *Project
	mu     sync.Mutex
	status map[string]watch.Status
}

func (n *watchStatus) put(prefix string, s watch.Status) {
	n.mu.Lock()
	n.status[prefix] = s
	var notes []string
	watchers, down := 0, 0
	for key, s := range n.status {
		if key != strategyNote {
			watchers++
			if !s.Active {
				down++
			}
		}
		if folder := strings.TrimSuffix(key, "/"); s.Note == watch.NoteAway && strings.HasPrefix(folder, "@") {
			s.Note = fmt.Sprintf("The folder %s of this project is missing or can't be read. Search MCP keeps checking for it.",
				folder)
		}
		if s.Note != "" {
			notes = append(notes, s.Note)
		}
	}
	n.mu.Unlock()
	active := watchers > 0 && down == 0
	n.p.actor.SetWatching(active, strings.Join(notes, " "))
}

const (
	// flushTimeout is the maximum time for which a search waits until changed files are indexed. It suffices for a saved
	// file.
	flushTimeout = 300 * time.Millisecond
	// startTimeout is the maximum time for which a search waits after the start until all files are checked for changes.
	// With 50,000 unchanged files, this takes 0.2 s.
	startTimeout = time.Second
)

// isStarting reports whether the app is still looking for files that changed before it started.
func (p *Project) isStarting() bool {
	return p.compared.Err() == nil && !p.isBuilding() && !p.actor.Paused() &&
		p.actor.Config().IndexingStrategy != api.Git
}

func (p *Project) isBuilding() bool {
	return slices.ContainsFunc(p.jobs(), func(j *jobs.Job) bool { return j.Progress().Phase != api.PhaseEmbedding })
}

func (p *Project) flushBeforeSearch(ctx context.Context) {
	if p.isStarting() {
		late, cancel := context.WithTimeout(ctx, startTimeout)
		_ = wait(late, p.compared.Done())
		cancel()
	}
	w := p.watching()
	if w == nil || p.isBuilding() {
		return
	}
	if s := w.orchestrator.Stats(); s.Pending == 0 && !s.Whole {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	if w.orchestrator.BeforeSearch(ctx) == nil {
		p.actor.Settle(ctx)
	}
}
