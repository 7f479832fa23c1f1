// Package model locates or downloads the embedding model (RFC 5.4), and determines its state. The caller runs its only
// goroutine, Run.
package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/problem"
	"searchmcp/engine/project"
)

type Embedder interface {
	project.Embedder
	Loaded() bool
	SetThreads(n int)
	Close() error
}

type Options struct {
	Embedder Embedder // replaces the embedding model if it is not nil
	Process  *native.Process
	Poison   *worker.Poison
	Threads  int
	Dir      string        // the only folder to search; "" means the usual folders
	Retry    time.Duration // delay before the second search for the model; the default is retryFirst
	Problems *problem.List
	Changed  func() // called when the model becomes available or unavailable, or when its download begins
	Log      *slog.Logger
}

// Model is safe for concurrent use.
type Model struct {
	Embedder Embedder // nil if ONNX Runtime or the model is unavailable
	opt      Options
	worker   *worker.Model // nil if Options.Embedder is set
	missing  atomic.Pointer[api.Error]
	fetching atomic.Pointer[string]
}

func New(o Options) *Model {
	m := &Model{Embedder: o.Embedder, opt: o}
	if o.Embedder != nil {
		return m
	}
	own, err := worker.NewModel(o.Process, o.Poison, o.Dir, o.Threads, o.Log)
	if err != nil {
		m.SetMissing(err)
		return m
	}
	m.Embedder, m.worker = own, own
	if embed.Downloads() {
		text := api.WaitingForModel
		m.fetching.Store(&text)
	}
	return m
}

// Delays between attempts to find the embedding model. Each attempt may read the whole file of the model.
const (
	retryFirst = 5 * time.Second
	retryLast  = 10 * time.Minute
)

// Run locates or downloads the embedding model. It tries until it succeeds.
func (m *Model) Run(ctx context.Context) {
	if m.worker == nil {
		return
	}
	look := embed.LocateOptions{Dir: m.opt.Dir, Log: m.opt.Log, Progress: m.setFetching}
	for wait := cmp.Or(m.opt.Retry, retryFirst); ; wait = min(2*wait, retryLast) {
		err := m.worker.Check()
		if err != nil {
			_, err = embed.Locate(ctx, look)
		}
		if err == nil && m.Fetching() == api.ModelFetched {
			select {
			case <-time.After(doneShown):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return
		}
		m.fetching.Store(nil)
		if err != nil {
			m.opt.Log.Error("no embedding model", "err", err, "next", wait)
		}
		m.SetMissing(err)
		m.opt.Changed()
		if err == nil {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// doneShown is how long a finished download is reported. Clients request the state every second.
const doneShown = 1500 * time.Millisecond

func (m *Model) setFetching(message string, done, total int64) {
	if 0 < done && done < total {
		message = fmt.Sprintf("%s %d %%", message, 100*done/total)
	}
	before := m.fetching.Swap(&message)
	if before == nil || *before == api.WaitingForModel {
		m.opt.Changed()
	}
}

// Fetching returns the progress of the download, or "" if the model is not being downloaded.
func (m *Model) Fetching() string {
	if text := m.fetching.Load(); text != nil {
		return *text
	}
	return ""
}

// SetMissing records that err makes the model unavailable, or that the model is available if err is nil.
func (m *Model) SetMissing(err error) {
	p := Problem(err)
	m.missing.Store(p)
	m.opt.Problems.Set("model", p)
}

// Missing returns why the model is unavailable, or nil.
func (m *Model) Missing() *api.Error { return m.missing.Load() }

// Problem returns the message to the user about an error of embed.Locate. It returns nil if err is nil.
func Problem(err error) *api.Error {
	var e *api.Error
	if err == nil || errors.As(err, &e) {
		return e
	}
	return api.ErrModelMissing(err)
}

// State returns "loaded", "unloaded" (loaded when needed), "missing" or "failed".
func (m *Model) State() string {
	switch {
	case m.Embedder == nil:
		return "failed"
	case m.Embedder.Loaded():
		return "loaded"
	case m.Missing() != nil:
		return "missing"
	}
	return "unloaded"
}
