package watch

import (
	"context"
	"time"

	"searchmcp/engine/api"
)

// Strategy decides when the dirty set is released to the actor (RFC 5.7). The set itself belongs to the Orchestrator,
// which records a batch before the strategy sees it. Initialize, start, stop and isActive of the RFC's interface are
// Run and its context; flush is the Orchestrator's BeforeSearch.
type Strategy interface {
	Name() api.Strategy
	// Run sends the releases that the strategy decides on by itself, until ctx ends.
	Run(ctx context.Context, releases chan<- release)
	// OnBatch sees every recorded batch and reports whether to release the dirty set now. It must not block.
	OnBatch(b Batch) bool
	// Holds sees every batch before it is recorded. One that it holds is neither recorded nor released: a later release of
	// the strategy covers it.
	Holds(b Batch) bool
	// BeforeSearch reports whether a search has to wait for the dirty set.
	BeforeSearch() bool
	// Note says in words what a person should know, "" if nothing.
	Note() string
}

// release asks the Orchestrator to send the dirty set to the actor.
type release struct {
	cause Cause
	all   bool          // the whole project is dirty
	full  bool          // and to be hashed
	head  string        // where HEAD is, to be kept once the actor has taken the set; "": nothing is
	taken chan struct{} // closed when the actor has taken the set; nil: nobody waits
}

// send hands a release to the Orchestrator, unless ctx ends first.
func (r release) send(ctx context.Context, releases chan<- release) {
	select {
	case releases <- r:
	case <-ctx.Done():
	}
}

// realtime releases every batch at once.
type realtime struct{}

func (realtime) Name() api.Strategy { return api.Realtime }

// Run releases what an earlier run held back.
func (realtime) Run(ctx context.Context, releases chan<- release) {
	release{cause: CauseResume}.send(ctx, releases)
}

func (realtime) OnBatch(Batch) bool { return true }

func (realtime) Holds(Batch) bool { return false }

func (realtime) BeforeSearch() bool { return true }

func (realtime) Note() string { return "" }

// lazy releases when nothing has changed for a while, and before a search.
type lazy struct {
	idle  time.Duration
	event chan struct{} // 1-buffered: something changed
}

func newLazy(idle time.Duration) *lazy { return &lazy{idle: idle, event: make(chan struct{}, 1)} }

func (*lazy) Name() api.Strategy { return api.Lazy }

// Run begins with a wait: the set may hold paths of an earlier run.
func (l *lazy) Run(ctx context.Context, releases chan<- release) {
	t := time.NewTimer(l.idle)
	defer t.Stop()
	for {
		select {
		case <-l.event:
			t.Reset(l.idle)
		case <-t.C:
			release{cause: CauseIdle}.send(ctx, releases)
		case <-ctx.Done():
			return
		}
	}
}

// OnBatch restarts the wait. A changed ignore file is released at once: what it hides must not be found any longer.
func (l *lazy) OnBatch(b Batch) bool {
	wake(l.event)
	return b.Ignore
}

func (*lazy) Holds(Batch) bool { return false }

func (*lazy) BeforeSearch() bool { return true }

func (*lazy) Note() string { return "" }

// wake signals a 1-buffered channel without blocking.
func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
