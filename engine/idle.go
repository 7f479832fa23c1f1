package engine

import (
	"context"
	"runtime/debug"
	"time"

	"searchmcp/engine/api"
)

// releaseAfter is how long nothing must have happened before memory is given back: longer than the 30 seconds after
// which an index is looked after, which reads all of it once.
const releaseAfter = time.Minute

// releaseWhenIdle gives memory back whenever nothing has been indexed or asked for a while, and once more when the
// model has gone. It wakes for events and questions only, and each minute while the model stays loaded.
func (e *Engine) releaseWhenIdle(ctx context.Context) {
	after := releaseAfter
	if e.opt.release > 0 {
		after = e.opt.release
	}
	events := e.hub.Subscribe(ctx)
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
			if !e.working() {
				e.releaseMemory()
			}
			if e.working() || (e.embedder != nil && e.embedder.Loaded()) {
				idle.Reset(after)
			}
		}
	}
}

func (e *Engine) releaseMemory() {
	if e.static != nil {
		e.static.Release()
	}
	debug.FreeOSMemory()
	e.log.Debug("memory given back")
}

// noteQuestion keeps the engine from coming to rest for a while.
func (e *Engine) noteQuestion() {
	select {
	case e.asked <- struct{}{}:
	default: // one is noted already
	}
}

// working reports whether a project is being indexed.
func (e *Engine) working() bool {
	for _, p := range e.Registry.List() {
		switch p.Snapshot().State {
		case api.StateIndexing, api.StateEmbedding:
			return true
		}
	}
	return false
}
