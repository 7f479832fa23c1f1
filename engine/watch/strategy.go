package watch

import (
	"context"
	"time"

	"searchmcp/engine/api"
)

// Strategy decides when the dirty set is handed on (RFC 5.7). The set itself belongs to the Orchestrator, which has recorded
// a batch before the strategy hears of it. Initialize, start, stop and isActive of the RFC's interface are Run and its
// context.
type Strategy interface {
	Name() api.Strategy
	// Run does what the strategy does by itself, until ctx ends.
	Run(ctx context.Context)
	// OnBatch is told of every batch that was recorded; it must not block.
	OnBatch(b Batch)
	// BeforeSearch hands on what a search must not miss, and returns when that is done.
	BeforeSearch(ctx context.Context) error
	// Flush hands everything on and returns when that is done.
	Flush(ctx context.Context) error
	// Note says in words what a person should know, "" if nothing.
	Note() string
}

// handover is what strategies need of the Orchestrator.
type handover interface {
	// release has the dirty set handed on; it does not block.
	release(c Cause)
	// suspect makes the whole project dirty.
	suspect(c Cause)
	// flush releases and waits until it was taken.
	flush(ctx context.Context, c Cause) error
}

// realtime hands every batch on at once.
type realtime struct{ to handover }

func (realtime) Name() api.Strategy { return api.Realtime }

// Run hands on what another strategy had held back.
func (r realtime) Run(ctx context.Context) {
	r.to.release(CauseResume)
	<-ctx.Done()
}

func (r realtime) OnBatch(b Batch) { r.to.release(b.Cause) }

func (r realtime) BeforeSearch(ctx context.Context) error { return r.to.flush(ctx, CauseFlush) }

func (r realtime) Flush(ctx context.Context) error { return r.to.flush(ctx, CauseFlush) }

func (realtime) Note() string { return "" }

// lazy hands on when nothing has changed for a while, and before a search.
type lazy struct {
	to    handover
	idle  time.Duration
	event chan struct{} // 1-buffered
}

func newLazy(to handover, idle time.Duration) *lazy {
	return &lazy{to: to, idle: idle, event: make(chan struct{}, 1)}
}

func (*lazy) Name() api.Strategy { return api.Lazy }

// Run begins with a wait: the set may hold paths of the run before.
func (l *lazy) Run(ctx context.Context) {
	t := time.NewTimer(l.idle)
	defer t.Stop()
	for {
		select {
		case <-l.event:
			t.Reset(l.idle)
		case <-t.C:
			l.to.release(CauseIdle)
		case <-ctx.Done():
			return
		}
	}
}

// OnBatch starts the wait anew. A changed ignore file is not waited with: what it hides must not be found any longer.
func (l *lazy) OnBatch(b Batch) {
	if b.Ignore {
		l.to.release(b.Cause)
	}
	select {
	case l.event <- struct{}{}:
	default:
	}
}

func (l *lazy) BeforeSearch(ctx context.Context) error { return l.to.flush(ctx, CauseFlush) }

func (l *lazy) Flush(ctx context.Context) error { return l.to.flush(ctx, CauseFlush) }

func (*lazy) Note() string { return "" }
