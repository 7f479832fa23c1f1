package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// How long a call waits for its job.
const (
	patience    = 25 * time.Second // without a progress token (docs/specification.md#confirmation)
	afterAnswer = 2 * time.Second  // enough for a small project, after a slow answer of the user
)

// percent maps a job to a single scale. Scanning has no total, files take a tenth, and vectors take nearly all of the
// remaining part.
func percent(p api.Progress) float64 {
	share := func(done, total int) float64 {
		if total <= 0 {
			return 0
		}
		return min(float64(done)/float64(total), 1)
	}
	switch p.Phase {
	case api.PhaseScanning:
		return 1
	case api.PhaseIndexing:
		return 2 + 10*share(p.FilesDone, p.FilesTotal)
	case api.PhaseEmbedding:
		return 12 + 86*share(p.ChunksDone, p.ChunksTotal)
	case api.PhaseFinishing:
		return 99
	default:
		return 0
	}
}

// describe describes the progress of a job.
func describe(p api.Progress) string {
	text := map[api.Phase]string{
		api.PhaseWaiting:  "Waiting for another job to finish",
		api.PhasePaused:   "The user has paused indexing; it goes on when they resume it",
		api.PhaseScanning: fmt.Sprintf("Looking for files: %d so far", max(p.FilesTotal, p.FilesDone)),
		api.PhaseIndexing: fmt.Sprintf("Reading files: %d of %d", p.FilesDone, p.FilesTotal),
		api.PhaseEmbedding: fmt.Sprintf("%s: %d of %d passages", api.StateEmbedding.Term(),
			min(p.ChunksDone, p.ChunksTotal), p.ChunksTotal),
		api.PhaseFinishing: "Finishing",
	}[p.Phase]
	if p.Phase == api.PhaseEmbedding && p.Waiting != "" {
		return p.Waiting
	}
	if p.Left > 0 {
		text += ", about " + display.Duration(p.Left) + " left"
	}
	return text
}

// outcome is the state of a job when its call is answered.
type outcome struct {
	status   string // success, indexing or cancelled
	stats    api.IndexStats
	progress *jobProgress
}

// Values of the status field.
const (
	statusSuccess   = "success"
	statusIndexing  = "indexing"
	statusCancelled = "cancelled"
)

// jobProgress is the progress of a running job in a result.
type jobProgress struct {
	Phase       string  `json:"phase"`
	Percent     float64 `json:"percent"`
	FilesDone   int     `json:"filesDone"`
	FilesTotal  int     `json:"filesTotal"`
	ChunksDone  int     `json:"chunksDone"`
	ChunksTotal int     `json:"chunksTotal"`
	TimeLeft    string  `json:"timeLeft,omitempty"`
	Message     string  `json:"message"`
}

func figures(p api.Progress) *jobProgress {
	f := &jobProgress{
		Phase: string(p.Phase), Percent: float64(int(percent(p)*10)) / 10, FilesDone: p.FilesDone, FilesTotal: p.FilesTotal,
		ChunksDone: p.ChunksDone, ChunksTotal: p.ChunksTotal, Message: describe(p),
	}
	if p.Left > 0 {
		f.TimeLeft = display.Duration(p.Left)
	}
	return f
}

// follow waits for a job. If the client gave a progress token, it waits until the job ends, otherwise until patience is
// over or the user pauses the job. The job continues in any case, even if ctx ends.
func (c *call) follow(ctx context.Context, root string, job api.Job) (outcome, error) {
	session.Yield(ctx)
	tick := time.NewTicker(session.ProgressEvery)
	defer tick.Stop()
	t := time.NewTimer(max(time.Until(c.started.Add(patience)), afterAnswer))
	defer t.Stop()
	over := false
	for {
		select {
		case <-job.Done():
			return ended(job)
		case <-tick.C:
			p := job.Progress()
			c.progress.Report(percent(p), describe(p))
			// A paused job may take forever, so don't wait for it.
			if over && (!c.progress.Wanted() || p.Phase == api.PhasePaused) {
				return c.unfinished(ctx, root, p)
			}
		case <-t.C:
			over = true
			if p := job.Progress(); !c.progress.Wanted() || p.Phase == api.PhasePaused {
				return c.unfinished(ctx, root, p)
			}
		case <-ctx.Done():
			return outcome{}, ctx.Err()
		}
	}
}

// unfinished is the outcome of a job that continues, with the current numbers of the index.
func (c *call) unfinished(ctx context.Context, root string, p api.Progress) (outcome, error) {
	now, err := c.engine.Status(ctx, root)
	if err != nil {
		return outcome{}, err
	}
	return outcome{status: statusIndexing, progress: figures(p), stats: api.IndexStats{
		FilesIndexed: now.Files, ChunksCreated: now.Chunks, Duration: time.Since(p.Started)}}, nil
}

func ended(job api.Job) (outcome, error) {
	stats, err := job.Result()
	switch {
	case errors.Is(err, context.Canceled):
		return outcome{status: statusCancelled, stats: stats}, nil
	case err != nil:
		return outcome{}, fmt.Errorf("%s: %w", job.Progress().Action, err)
	}
	return outcome{status: statusSuccess, stats: stats}, nil
}

// declined returns the reason why nothing was done.
func declined(a api.Answer) string {
	if a == api.TimedOut {
		return "The user did not answer within 2 minutes, so nothing was changed."
	}
	return "The user refused, so nothing was changed. Do not ask again unless the user wants it."
}

// jobMessage describes the outcome; success is the sentence for a completed job.
func jobMessage(o outcome, success string) string {
	switch o.status {
	case statusIndexing:
		if o.progress.Phase == string(api.PhasePaused) {
			return o.progress.Message + ". Searches use the files indexed so far."
		}
		return o.progress.Message + ". It goes on in the background. Searches use the files indexed so far; " +
			"get_index_status shows the progress, and calling this tool again waits on."
	case statusCancelled:
		return "The job was stopped before it was done."
	default:
		return success
	}
}
