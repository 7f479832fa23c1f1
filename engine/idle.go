package engine

import (
	"cmp"
	"context"
	"runtime/debug"
	"time"

	"searchmcp/engine/api"
)

// releaseAfter is longer than the 30 seconds after which the maintenance of an idle index begins.
const releaseAfter = time.Minute

// releaseWhenIdle closes the files of the text indexes and releases memory after a minute without events and queries.
func (e *Engine) releaseWhenIdle(ctx context.Context) {
	after := cmp.Or(e.opt.release, releaseAfter)
	events := e.Hub.Subscribe(ctx)
	idle := time.NewTimer(after)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-events:
			idle.Reset(after)
		case <-e.asked:
			idle.Reset(after)
		case <-idle.C:
			working := e.working()
			again := working || e.model.State() == "loaded"
			if !working {
				for _, p := range e.Registry.List() {
					again = !p.Actor().Store().Suspend() || again
				}
				if e.static != nil {
					e.static.Release()
				}
				debug.FreeOSMemory()
				e.log.Debug("memory released")
			}
			if again {
				idle.Reset(after)
			}
		}
	}
}

func (e *Engine) working() bool {
	for _, p := range e.Registry.List() {
		switch p.Snapshot().State {
		case api.StateIndexing, api.StateEmbedding:
			return true
		}
	}
	return false
}
