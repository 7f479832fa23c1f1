package onnx

import (
	"context"
	"slices"
	"sync"
	"time"
)

type lane int

const (
	laneText  lane = iota // for indexing, which may wait
	laneQuery             // for a query, whose answer a user waits for
	lanes
)

// After a query, texts wait for afterQuery, in which the app finishes the search. If queries follow one another, texts
// wait for at most mostWait.
const (
	afterQuery = 20 * time.Millisecond
	mostWait   = 100 * time.Millisecond
)

// gate shares the cores between the lanes. Each lane has its own slots, so that queries never wait for a text. During
// queries and shortly after them, at most one text starts per mostWait.
type gate struct {
	mu           sync.Mutex
	threads      int
	running      [lanes]int
	waiting      [lanes][]chan struct{} // FIFO; closed when the slot is granted
	blockedUntil time.Time
	began        time.Time
}

func newGate(threads int) *gate { return &gate{threads: max(threads, 1)} }

// enter waits for a slot of lane l. It returns the cause of ctx if ctx ends first. Every successful enter requires one
// leave.
func (g *gate) enter(ctx context.Context, l lane) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	g.mu.Lock()
	if len(g.waiting[l]) == 0 && g.free(l) {
		g.take(l)
		g.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	g.waiting[l] = append(g.waiting[l], turn)
	g.mu.Unlock()

	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting[l], turn); i >= 0 {
		g.waiting[l] = slices.Delete(g.waiting[l], i, i+1)
	} else { // the slot has been granted
		g.running[l]--
		g.admit()
	}
	return context.Cause(ctx)
}

func (g *gate) leave(l lane) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[l]--
	if l == laneQuery {
		g.blockedUntil = time.Now().Add(afterQuery)
		time.AfterFunc(afterQuery, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.admit()
		})
	}
	g.admit()
}

// take requires mu.
func (g *gate) take(l lane) {
	g.running[l]++
	if l == laneText {
		g.began = time.Now()
	}
}

// setThreads changes the number of slots. Running inferences continue.
func (g *gate) setThreads(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.threads = max(n, 1)
	g.admit()
}

// free requires mu.
func (g *gate) free(l lane) bool {
	if l == laneQuery {
		return g.running[laneQuery] < g.threads
	}
	now := time.Now()
	if g.running[laneQuery]+len(g.waiting[laneQuery]) == 0 && !now.Before(g.blockedUntil) {
		return g.running[laneText] < g.threads
	}
	return g.running[laneText] == 0 && now.Sub(g.began) >= mostWait
}

// admit grants free slots to waiting callers, queries first. It requires mu.
func (g *gate) admit() {
	for _, l := range []lane{laneQuery, laneText} {
		for len(g.waiting[l]) > 0 && g.free(l) {
			g.take(l)
			close(g.waiting[l][0])
			g.waiting[l] = g.waiting[l][1:]
		}
	}
}
