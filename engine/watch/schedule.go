package watch

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// ScheduleOptions of a Schedule.
type ScheduleOptions struct {
	// Every is the time between two full passes; 0 means the RFC's 24 hours.
	Every time.Duration
	// Last is when the latest full pass or build ended; zero: never.
	Last time.Time
	Log  *slog.Logger

	clock clock // tests put a fake here
}

// Schedule says when the whole project is to be examined whatever the watcher tells (RFC 5.6): the full pass that hashes
// every file, and a pass by size and time after the machine slept. The pass at start is the watcher's first batch, because it
// must not begin before the watches stand. Run may be called once; Check is safe for concurrent use.
type Schedule struct {
	every time.Duration
	last  time.Time
	log   *slog.Logger
	clock clock
	check chan struct{}
}

const (
	// overdueDelay keeps a full pass that is overdue at start out of the way of what the person started the computer for.
	overdueDelay = 5 * time.Minute
	// sleptLeast is what counts as sleep; less is the granularity of clocks and a suspend that was broken off.
	sleptLeast = 10 * time.Second
	// lookEvery is how often sleep is looked for where the system doesn't wake who waits for it.
	lookEvery = 15 * time.Minute
)

// clock is what a Schedule knows of time beyond the time package.
type clock interface {
	// asleep is how long the machine has slept since some moment.
	asleep() time.Duration
	// resumed is signalled when the machine may have slept or its clock was set; nil if the system doesn't tell.
	resumed() <-chan struct{}
	close()
}

// NewSchedule makes a schedule.
func NewSchedule(o ScheduleOptions) *Schedule {
	if o.Every <= 0 {
		o.Every = 24 * time.Hour
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Schedule{every: o.Every, last: o.Last, log: o.Log, clock: o.clock, check: make(chan struct{}, 1)}
}

// Check compares the clocks now: for somebody who is awake anyway and wants to know of a sleep sooner.
func (s *Schedule) Check() {
	select {
	case s.check <- struct{}{}:
	default:
	}
}

// Run sends batches to out until ctx ends, then returns nil.
func (s *Schedule) Run(ctx context.Context, out chan<- Batch) error {
	c := s.clock
	if c == nil {
		c = openClock(s.log)
	}
	defer c.close()
	due := s.first(time.Now())
	slept := c.asleep()
	t := time.NewTimer(0)
	defer t.Stop()
	for {
		// Round strips the monotonic reading: the pass is due by the clock on the wall, which goes on in sleep.
		left := due.Round(0).Sub(time.Now().Round(0))
		if c.resumed() == nil {
			left = min(left, lookEvery)
		}
		t.Reset(max(left, 0))
		select {
		case <-t.C:
		case <-c.resumed():
		case <-s.check:
		case <-ctx.Done():
			return nil
		}
		var b Batch
		if now := time.Now(); !now.Round(0).Before(due.Round(0)) {
			b = Batch{Rescan: true, Full: true, Cause: CauseDaily}
			due = now.Add(s.every)
		}
		if now := c.asleep(); now-slept >= sleptLeast {
			b = b.join(Batch{Rescan: true, Cause: CauseWake})
			slept = now
		}
		if b.Empty() {
			continue
		}
		select {
		case out <- b:
		case <-ctx.Done():
			return nil
		}
	}
}

// first is when the first full pass is due. A tenth of the period is spread, so that many projects don't begin together.
func (s *Schedule) first(now time.Time) time.Time {
	due := s.last.Add(s.every)
	if soonest := now.Add(overdueDelay); s.last.IsZero() || due.Before(soonest) {
		due = soonest
	}
	return due.Add(rand.N(s.every/10 + 1))
}
