package onnx

import (
	"context"
	"sync"
	"time"
)

const (
	// afterQuery is how long indexing waits after a query, while the app finishes the search.
	afterQuery = 20 * time.Millisecond
	// maxPause is the maximum time for which indexing waits during a series of queries.
	maxPause = 100 * time.Millisecond
)

// gate limits how many texts the model processes at the same time. Queries never wait. During a query and shortly
// afterwards, the limit is one.
type gate struct {
	mu             sync.Mutex
	threads        int
	queries, texts int
	changed        chan struct{} // closed and replaced at each change
	blockedUntil   time.Time
	began          time.Time
}

func newGate(threads int) *gate { return &gate{threads: threads, changed: make(chan struct{})} }

// query gives a query precedence over texts. The caller must call done at the end of the query.
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

// enter waits until the model may process another text. After success, the caller must call leave.
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

// setThreads changes the maximum number of texts that are processed at the same time.
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
	return g.texts == 0 && now.Sub(g.began) >= maxPause
}

// The caller of wake must hold mu.
func (g *gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}
