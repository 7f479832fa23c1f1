package onnx

import (
	"context"
	"sync"
	"time"
)

// After a query, texts wait for afterQuery, while the app finishes the search. During consecutive queries, texts wait
// for at most mostWait.
const (
	afterQuery = 20 * time.Millisecond
	mostWait   = 100 * time.Millisecond
)

// gate limits the concurrent texts. A query never waits. During queries and shortly after them, at most one text starts
// per mostWait.
type gate struct {
	mu             sync.Mutex
	threads        int
	queries, texts int           // running
	changed        chan struct{} // closed and replaced when a text may start
	blockedUntil   time.Time
	began          time.Time // of the last text
}

func newGate(threads int) *gate { return &gate{threads: threads, changed: make(chan struct{})} }

// query registers a query. The caller calls done when it finishes.
func (g *gate) query() (done func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.queries++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.queries--
		g.blockedUntil = time.Now().Add(afterQuery)
		g.wake()
		time.AfterFunc(afterQuery, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.wake()
		})
	}
}

// enter waits until a text may start, or returns the cause of ctx. Each successful call requires a call of leave.
func (g *gate) enter(ctx context.Context) error {
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		g.mu.Lock()
		changed, free := g.changed, g.free()
		if free {
			g.texts++
			g.began = time.Now()
		}
		g.mu.Unlock()
		if free {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.texts--
	g.wake()
}

// setThreads changes the maximum number of texts. Running inferences continue.
func (g *gate) setThreads(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.threads = n
	g.wake()
}

// The caller of free must hold mu.
func (g *gate) free() bool {
	now := time.Now()
	if g.queries == 0 && !now.Before(g.blockedUntil) {
		return g.texts < g.threads
	}
	return g.texts == 0 && now.Sub(g.began) >= mostWait
}

// The caller of wake must hold mu.
func (g *gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}
