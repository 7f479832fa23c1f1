package jobs

import (
	"context"
	"fmt"
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
	published time.Time
	stats     api.IndexStats
	err       error
}

var ErrCancelled = fmt.Errorf("the job was cancelled: %w", context.Canceled)

// Start runs work in a goroutine. The context that work receives ends with parent, or when Cancel or Fail is called.
func Start(parent context.Context, hub *Hub, projectID string, action api.Action,
	work func(ctx context.Context, j *Job) (api.IndexStats, error)) *Job {
	ctx, cancel := context.WithCancelCause(parent)
	now := time.Now()
	j := &Job{
		id: fmt.Sprintf("job-%d", lastID.Add(1)), projectID: projectID, hub: hub, ctx: ctx, cancel: cancel,
		done:     make(chan struct{}),
		progress: api.Progress{Action: action, Phase: api.PhaseWaiting, Started: now}, phaseAt: now,
	}
	j.progress.JobID = j.id
	go func() {
		defer close(j.done)
		defer cancel(nil)
		stats, err := work(ctx, j)
		// If Cancel or Fail ended the job, replace the error of work.
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

// Update calls change to modify the progress, and then publishes the progress. While the job's phase is unchanged, it
// publishes at most five times a second.
func (j *Job) Update(change func(p *api.Progress)) {
	now := time.Now()
	j.mu.Lock()
	phase := j.progress.Phase
	change(&j.progress)
	p := &j.progress
	if p.Phase != phase {
		j.phaseAt = now
	}
	p.FilesPerSec, p.Left = rates(*p, now.Sub(j.phaseAt))
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

// rates returns the files per second and the estimated remaining time. The estimate is 0 during the first second and
// the first hundredth of the work, when it would be misleading.
func rates(p api.Progress, in time.Duration) (perSec float64, left time.Duration) {
	done, total := p.FilesDone, p.FilesTotal
	if p.Phase == api.PhaseEmbedding {
		done, total = p.ChunksDone, p.ChunksTotal
	}
	seconds := in.Seconds()
	if seconds <= 0 {
		return 0, 0
	}
	if p.Phase == api.PhaseIndexing {
		perSec = float64(p.FilesDone) / seconds
	}
	if seconds < 1 || done == 0 || done*100 < total || done >= total {
		return perSec, 0
	}
	return perSec, time.Duration(float64(total-done) / float64(done) * float64(in)).Round(time.Second)
}
