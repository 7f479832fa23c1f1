package jobs

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
)

var lastID atomic.Int64

const progressEvery = 200 * time.Millisecond

type Job struct {
	id        string
	projectID string
	hub       *Hub
	ctx       context.Context
	cancel    context.CancelCauseFunc
	done      chan struct{}

	mu        sync.Mutex
	progress  api.Progress
	phaseAt   time.Time
	marks     []mark                      // progress in the current phase, oldest first
	left      map[api.Phase]time.Duration // last estimates
	published time.Time
	stats     api.IndexStats
	err       error
}

var ErrCancelled = fmt.Errorf("the job was cancelled: %w", context.Canceled)

// Start calls f in a goroutine. The context of f ends with parent, or when Cancel or Fail is called.
func Start(parent context.Context, hub *Hub, projectID string, action api.Action,
	f func(ctx context.Context, j *Job) (api.IndexStats, error)) *Job {
	ctx, cancel := context.WithCancelCause(parent)
	now := time.Now()
	j := &Job{
		id: fmt.Sprintf("job-%d", lastID.Add(1)), projectID: projectID, hub: hub, ctx: ctx, cancel: cancel,
		done:     make(chan struct{}),
		progress: api.Progress{Action: action, Phase: api.PhaseWaiting, Started: now}, phaseAt: now,
		left: map[api.Phase]time.Duration{},
	}
	j.progress.JobID = j.id
	go func() {
		defer close(j.done)
		defer cancel(nil)
		stats, err := f(ctx, j)
		// Return the reason given to Cancel or Fail instead of the error of f.
		if cause := context.Cause(ctx); err != nil && cause != nil && cause != context.Cause(parent) {
			err = cause
		}
		j.mu.Lock()
		stats.Duration = time.Since(now)
		j.stats, j.err = stats, err
		j.mu.Unlock()
	}()
	return j
}

func (j *Job) ID() string { return j.id }

func (j *Job) Done() <-chan struct{} { return j.done }

func (j *Job) Cancel() { j.cancel(ErrCancelled) }

func (j *Job) Fail(err error) { j.cancel(err) }

func (j *Job) Ending() bool { return j.ctx.Err() != nil }

func (j *Job) Result() (api.IndexStats, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stats, j.err
}

func (j *Job) Progress() api.Progress {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.progress
}

// Update calls change to modify the progress, and then publishes the progress. Within a phase, Update publishes at most
// five times a second.
func (j *Job) Update(change func(p *api.Progress)) {
	now := time.Now()
	j.mu.Lock()
	phase := j.progress.Phase
	change(&j.progress)
	p := &j.progress
	if p.Phase != phase {
		j.phaseAt = now
	}
	if p.FilesPerSec = 0; p.Phase == api.PhaseIndexing && now.After(j.phaseAt) {
		p.FilesPerSec = float64(p.FilesDone) / now.Sub(j.phaseAt).Seconds()
	}
	if p.Phase != phase || p.Waiting != "" {
		j.marks = nil
	}
	p.Left, p.Reached = j.falling(j.estimate(now)), p.Percent()
	publish := p.Phase != phase || now.Sub(j.published) >= progressEvery
	if publish {
		j.published = now
	}
	snapshot := *p
	j.mu.Unlock()
	if publish {
		j.hub.Publish(api.Event{Kind: api.EventProgress, ProjectID: j.projectID, Progress: &snapshot})
	}
}

// falling returns left, or the last estimate of the phase if left is a little longer, or 0 if left is much longer.
func (j *Job) falling(left time.Duration) time.Duration {
	last := j.left[j.progress.Phase]
	switch {
	case left == 0 || last > 0 && float64(left) > paceVariety*float64(last):
		return 0
	case last == 0 || left < last:
		j.left[j.progress.Phase] = left
		return left
	}
	return last
}

// mark records how many files or chunks were done at a time.
type mark struct {
	at   time.Time
	done int
}

const (
	markEvery   = 3 * time.Second
	recentMarks = 11  // progress is recorded for the last 30 seconds
	marksLeast  = 5   // an estimate needs 12 seconds
	paceVariety = 1.5 // no estimate if the speed has changed by more than this factor
)

// estimate returns the remaining time of the phase, or 0 if the time can't be estimated.
func (j *Job) estimate(now time.Time) time.Duration {
	done, total := j.progress.FilesDone, j.progress.FilesTotal
	if j.progress.Phase == api.PhaseEmbedding {
		done, total = j.progress.ChunksDone, j.progress.ChunksTotal
	}
	if n := len(j.marks); n == 0 || now.Sub(j.marks[n-1].at) >= markEvery {
		j.marks = append(j.marks, mark{now, done})
		j.marks = j.marks[max(0, len(j.marks)-recentMarks):]
	}
	if len(j.marks) < marksLeast || done >= total {
		return 0
	}
	n, end := len(j.marks), mark{now, done}
	first, second, third := j.marks[0], j.marks[n/3], j.marks[2*n/3]
	paces := []float64{first.pace(second), second.pace(third), third.pace(end)}
	if pace := first.pace(end); pace > 0 && slices.Max(paces) <= paceVariety*slices.Min(paces) {
		left := time.Duration(float64(total-done) / pace * float64(time.Second))
		unit := time.Minute
		if left < 90*time.Second {
			unit = 10 * time.Second
		}
		return max(left.Round(unit), unit)
	}
	return 0
}

// pace returns the number of files or chunks per second from m to end.
func (m mark) pace(end mark) float64 {
	return float64(end.done-m.done) / max(end.at.Sub(m.at).Seconds(), 1e-3)
}
