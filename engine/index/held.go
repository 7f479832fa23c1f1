package index

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/files/watch"
)

// Backoff between two looks at files that another program keeps to itself: a virus scanner does for milliseconds after
// each save, an editor perhaps for as long as it is open.
const (
	heldMin = time.Second
	heldMax = time.Minute
)

// heldFiles are files that another program keeps to itself, as programs on Windows can: nothing tells when they may be
// read. Safe for concurrent use.
type heldFiles struct {
	due *time.Timer // it is time to look again

	mu    sync.Mutex // leaf
	paths map[string]bool
	wait  time.Duration
}

func newHeldFiles() *heldFiles {
	h := &heldFiles{due: time.NewTimer(time.Hour), paths: map[string]bool{}, wait: heldMin}
	h.due.Stop()
	return h
}

// add has paths looked at again.
func (h *heldFiles) add(paths ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, path := range paths {
		h.paths[path] = true
	}
	h.due.Reset(h.wait)
}

// take returns the paths that are due.
func (h *heldFiles) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Sorted(maps.Keys(h.paths))
	clear(h.paths)
	h.wait = min(2*h.wait, heldMax)
	return list
}

// looked is told after a look: without any that is still held, the next one begins anew.
func (h *heldFiles) looked() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.paths) == 0 {
		h.wait = heldMin
	}
}

// serveHeld looks again at files that were held, as a request of the actor's own.
func (a *Actor) serveHeld(ctx context.Context) {
	paths := a.held.take()
	err := a.serve(ctx, request{ctx: ctx, work: func(ctx context.Context) error {
		return a.update(ctx, watch.Batch{Paths: paths, Cause: watch.CauseChange})
	}})
	if err != nil && ctx.Err() == nil { // paused, or the disk is full
		a.log.Debug("files that were held not indexed", "files", len(paths), "err", err)
		a.held.add(paths...)
	}
	a.held.looked()
}
