package index

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/files/watch"
)

// retryLocked is the delay before locked files are read again. Virus scanners lock a file for milliseconds. Some
// editors lock an open file.
const retryLocked = 2 * time.Second

// lockedFiles contains files that another program has locked on Windows. They are read again after a delay, because
// Windows reports no event when a file is unlocked.
type lockedFiles struct {
	due *time.Timer

	mu    sync.Mutex
	paths map[string]bool
}

func newLockedFiles() *lockedFiles {
	h := &lockedFiles{due: time.NewTimer(time.Hour), paths: map[string]bool{}}
	h.due.Stop()
	return h
}

func (h *lockedFiles) add(paths ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, path := range paths {
		h.paths[path] = true
	}
	h.due.Reset(retryLocked)
}

func (h *lockedFiles) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Sorted(maps.Keys(h.paths))
	clear(h.paths)
	return list
}

func (a *Actor) retryLocked(ctx context.Context) {
	paths := a.locked.take()
	err := a.serve(ctx, request{ctx: ctx, work: func(ctx context.Context) error {
		return a.update(ctx, watch.Batch{Paths: paths, Cause: watch.CauseChange})
	}})
	if err != nil && ctx.Err() == nil {
		a.log.Debug("locked files not indexed", "files", len(paths), "err", err)
		a.locked.add(paths...)
	}
}
