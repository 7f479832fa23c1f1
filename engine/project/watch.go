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
	"searchmcp/engine/index"
	"searchmcp/engine/store/files"
)

// watching is what notices a project's changes: a watcher per folder, and the orchestrator that they send to.
type watching struct {
	orchestrator *watch.Orchestrator
	watchers     []*watch.Watcher
	hints        chan watch.Batch // to the orchestrator
	cancel       context.CancelFunc
	done         chan struct{}
}

// head keeps where HEAD was when all that was committed was indexed.
func (p *Project) head() kept[string] { return kept[string](filepath.Join(p.dir, "git-head.json")) }

// syncPause makes the orchestrator pause or go on as the actor does.
func (w *watching) syncPause(a *index.Actor) {
	if a.Paused() {
		w.orchestrator.Pause()
	} else {
		w.orchestrator.Resume()
	}
}

func (p *Project) watching() *watching {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch
}

// kept is a value in a file of its own, for watch.
type kept[T any] string

func (f kept[T]) Load() (v T, err error) {
	if err = files.ReadJSON(string(f), &v); errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	return v, err
}

func (f kept[T]) Save(v T) error { return files.WriteJSON(string(f), v) }

// watchProject keeps the project watched until ctx ends; applyConfig restarts it under new rules.
func (r *Registry) watchProject(ctx context.Context, p *Project, log *slog.Logger) {
	for ctx.Err() == nil {
		w, err := r.startWatching(ctx, p, log)
		if err != nil {
			log.Error("project is not watched", "err", err)
			p.actor.SetWatching(false, "Changes aren't noticed by themselves: "+err.Error())
			<-ctx.Done()
			return
		}
		<-w.done
	}
	p.actor.SetWatching(false, "")
}

// startWatching starts watchers, orchestrator and pump under a context of their own.
func (r *Registry) startWatching(ctx context.Context, p *Project, log *slog.Logger) (*watching, error) {
	cfg := p.actor.Config()
	notes := &watchStatus{p: p, status: map[string]watch.Status{}}
	o, err := watch.NewOrchestrator(watch.OrchestratorOptions{
		Root: p.root(), Strategy: cfg.IndexingStrategy, Idle: time.Duration(cfg.LazyIdleThreshold) * time.Second,
		Last: p.Snapshot().LastFull, Every: time.Duration(cfg.IntegrityInterval) * time.Hour, Paused: p.actor.Paused(),
		Dirty: kept[[]string](filepath.Join(p.dir, "dirty-files.json")), // RFC 5.7
		Head:  p.head(),
		OnStats: func(s watch.Stats) {
			p.actor.SetPending(s.Pending)
			notes.put(strategyNote, watch.Status{Active: true, Note: s.Note})
		}, Log: log,
	})
	if err != nil {
		return nil, err
	}
	w := &watching{orchestrator: o, hints: make(chan watch.Batch), done: make(chan struct{})}
	for prefix, policy := range p.actor.Tree().Policies() {
		w.watchers = append(w.watchers, watch.New(policy, watch.Options{
			Prefix: prefix, Log: log, OnStatus: func(s watch.Status) { notes.put(prefix, s) }, OnLeftOut: p.actor.NoteSkipped,
		}))
	}
	ctx, w.cancel = context.WithCancel(ctx)
	batches := make(chan watch.Batch)
	var wg sync.WaitGroup
	run := func(what string, f func() error) {
		wg.Go(func() {
			if err := f(); err != nil && ctx.Err() == nil {
				log.Error("watching ended", "part", what, "err", err)
			}
		})
	}
	for _, one := range w.watchers {
		run("watcher", func() error { return one.Run(ctx, w.hints) })
	}
	run("strategy", func() error { return o.Run(ctx, w.hints, batches) })
	run("pump", func() error { return p.pumpBatches(ctx, batches, log) })
	p.mu.Lock()
	p.watch = w
	p.mu.Unlock()
	w.syncPause(p.actor)
	go func() { wg.Wait(); close(w.done) }()
	return w, nil
}

// Backoff between two attempts at changes that could not be indexed: a disk that is full may have room in a moment, or
// next week.
const (
	retryMin = time.Second
	retryMax = time.Minute
)

// pumpBatches hands batches to the actor one after the other. What fails is tried again as a rescan until it succeeds;
// what changes meanwhile waits in the orchestrator.
func (p *Project) pumpBatches(ctx context.Context, batches <-chan watch.Batch, log *slog.Logger) error {
	for {
		var b watch.Batch
		select {
		case b = <-batches:
		case <-ctx.Done():
			return nil
		}
		for wait := retryMin; ; wait = min(2*wait, retryMax) {
			err := p.actor.Update(ctx, b)
			if ctx.Err() != nil {
				return nil
			}
			if err == nil && b.Head != "" {
				if err := p.head().Save(b.Head); err != nil {
					log.Warn("position of HEAD not kept; the next start compares everything", "err", err)
				}
			}
			if err == nil {
				break
			}
			log.Error("changes not indexed", "cause", string(b.Cause), "paths", len(b.Paths), "err", err, "next", wait)
			p.actor.SetUpdateError(err)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil
			}
			b = watch.Batch{Rescan: true, Full: b.Full, Head: b.Head, Cause: watch.CauseRestart}
		}
	}
}

// checkRoots makes the watchers look for their roots now.
func (p *Project) checkRoots() {
	if w := p.watching(); w != nil {
		for _, one := range w.watchers {
			one.Check()
		}
	}
}

// changed queues files that a search has found changed: no event tells of a write through mmap, or by another computer.
func (p *Project) changed(paths []string) {
	w := p.watching()
	if w == nil {
		return
	}
	go func() { // the orchestrator takes it at once, or ends
		select {
		case w.hints <- watch.Batch{Paths: paths, Cause: watch.CauseChange}:
		case <-w.done:
		}
	}()
}

// strategyNote is what the strategy has to say among the prefixes of watchers.
const strategyNote = "strategy"

// watchStatus joins the status of a project's watchers.
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
			s.Note = fmt.Sprintf("The folder %s of this project is missing or can't be read; it is looked for until it is back.",
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

// flushTimeout is how long a search waits for changes that are known and not yet indexed: what one saved file takes. A
// search never waits for more.
const flushTimeout = 300 * time.Millisecond

// flushBeforeSearch lets a search see what was saved just before it, if that can be had at once.
func (p *Project) flushBeforeSearch(ctx context.Context) {
	w := p.watching()
	if w == nil || slices.ContainsFunc(p.jobs(),
		func(j *jobs.Job) bool { return j.Progress().Phase != api.PhaseEmbedding }) {
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
