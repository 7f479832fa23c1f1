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

// Schedule schedules the passes over the whole project that don't depend on the watcher (RFC 5.6): the daily full pass
// that hashes every file, and a pass by size and time after the machine slept. The pass at start is the watcher's
// first batch, because it must not begin before the watches are set. Run may be called once.
type Schedule struct {
	every time.Duration
	last  time.Time
	log   *slog.Logger
	clock clock
}

const (
	// overdueDelay delays a full pass that is overdue at start: the person has just started the computer to use it.
	overdueDelay = 5 * time.Minute
	// minSleep is what counts as sleep; less is the clocks' granularity or an aborted suspend.
	minSleep = 10 * time.Second
	// sleepPoll is how often the clocks are compared where the system doesn't signal a resume.
	sleepPoll = 15 * time.Minute
)

// clock is what a Schedule knows of time beyond the time package.
type clock interface {
	// sleptFor is how long the machine has slept since some moment.
	sleptFor() time.Duration
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
	return &Schedule{every: o.Every, last: o.Last, log: o.Log, clock: o.clock}
}

// Run sends batches to out until ctx ends, then returns nil.
func (s *Schedule) Run(ctx context.Context, out chan<- Batch) error {
	c := s.clock
	if c == nil {
		c = openClock(s.log)
	}
	defer c.close()
	due := s.firstDue(time.Now())
	slept := c.sleptFor()
	t := time.NewTimer(0)
	defer t.Stop()
	for {
		// Round strips the monotonic reading: the pass is due by the wall clock, which runs during sleep.
		left := due.Round(0).Sub(time.Now().Round(0))
		if c.resumed() == nil {
			left = min(left, sleepPoll)
		}
		t.Reset(max(left, 0))
		select {
		case <-t.C:
		case <-c.resumed():
		case <-ctx.Done():
			return nil
		}
		var b Batch
		if now := time.Now(); !now.Round(0).Before(due.Round(0)) {
			b = Batch{Rescan: true, Full: true, Cause: CauseDaily}
			due = now.Add(s.every)
		}
		if now := c.sleptFor(); now-slept >= minSleep {
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

// firstDue is when the first full pass is due, with a jitter of a tenth of the period, so that projects don't start
// together.
func (s *Schedule) firstDue(now time.Time) time.Time {
	due := s.last.Add(s.every)
	if soonest := now.Add(overdueDelay); s.last.IsZero() || due.Before(soonest) {
		due = soonest
	}
	return due.Add(rand.N(s.every/10 + 1))
}
