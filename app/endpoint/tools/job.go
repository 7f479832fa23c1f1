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

const (
	patience    = 25 * time.Second // maximum wait for a job (docs/specification.md#confirmation)
	afterAnswer = 2 * time.Second  // minimum wait after the user's answer
)

func describe(p api.Progress) string {
	text := p.Text()
	switch {
	case p.Left <= 0 || p.Phase == api.PhaseEmbedding && p.Waiting != "":
	case p.Phase == api.PhaseIndexing: // the vectors take longer
		text += ", about " + display.Duration(p.Left) + " for this step"
	default:
		text += ", about " + display.Duration(p.Left) + " left"
	}
	return text
}

type jobFigures struct {
	FilesIndexed  int    `json:"filesIndexed"`
	ChunksCreated int    `json:"chunksCreated"`
	Duration      string `json:"duration"`
}

func jobFiguresOf(files, chunks int, took time.Duration) jobFigures {
	return jobFigures{files, chunks, display.Duration(took.Round(time.Second))}
}

type jobDetails struct {
	Progress *jobProgress `json:"progress,omitempty"`
	omissions
	notes
}

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
		Phase: string(p.Phase), Percent: float64(int(p.Percent()*10)) / 10, FilesDone: p.FilesDone, FilesTotal: p.FilesTotal,
		ChunksDone: p.ChunksDone, ChunksTotal: p.ChunksTotal, Message: describe(p),
	}
	if p.Left > 0 {
		f.TimeLeft = display.Duration(p.Left)
	}
	return f
}

// follow waits for job and returns its outcome. success is the message of a complete job. Without progress
// notifications, it waits at most 25 s, and the job continues. It does not wait for a paused job.
func (c *call) follow(ctx context.Context, root string, job api.Job, success string) (*createResult, error) {
	c.activity.Outcome = api.OutcomeGoesOn
	if err := c.wait(ctx, job); err != nil {
		return nil, err
	}
	p, err := c.engine.Status(ctx, root)
	if err != nil {
		return nil, err
	}
	o := &createResult{ProjectPath: root, jobDetails: jobDetails{omissions: omissionsOf(p), notes: notes{sentences(p)}}}
	select {
	case <-job.Done():
	default:
		now := job.Progress()
		o.indexing(now)
		o.jobFigures = jobFiguresOf(p.Files, p.Chunks, time.Since(now.Started))
		return o, nil
	}
	c.activity.Outcome = ""
	stats, err := job.Result()
	o.jobFigures = jobFiguresOf(stats.FilesIndexed, stats.ChunksCreated, stats.Duration)
	switch {
	case errors.Is(err, context.Canceled):
		o.Status, o.Message = api.OutcomeStopped, "The job was stopped before it finished."
	case err != nil:
		return nil, fmt.Errorf("%s: %w", job.Progress().Action, err)
	default:
		o.Status, o.Message = api.OutcomeDone, success
	}
	c.activity.Outcome = o.Status
	return o, nil
}

func (c *call) wait(ctx context.Context, job api.Job) error {
	session.Yield(ctx)
	tick := time.NewTicker(session.ProgressEvery)
	defer tick.Stop()
	over := time.Now().Add(max(time.Until(c.started.Add(patience)), afterAnswer))
	for {
		select {
		case <-job.Done():
			return nil
		case <-tick.C:
			p := job.Progress()
			c.progress.Report(p.Percent(), describe(p))
			if p.Phase == api.PhasePaused || time.Until(over) < session.ProgressEvery && !c.progress.Wanted() {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (o *createResult) indexing(p api.Progress) {
	o.Status, o.Progress = api.OutcomeGoesOn, figures(p)
	o.Message = o.Progress.Message + ". It continues in the background. Searches use the files indexed so far. " +
		"get_index_status shows the progress. To keep waiting, call this tool again."
	if p.Phase == api.PhasePaused {
		o.Message = o.Progress.Message + ". Searches use the files indexed so far."
	}
}

func declined(root string, a api.Answer) *createResult {
	text := "The user refused, so nothing was changed. Do not ask again unless the user wants it."
	if a == api.TimedOut {
		text = "The user did not answer within 2 minutes, so nothing was changed."
	}
	return &createResult{Status: api.OutcomeStopped, ProjectPath: root, Message: text, jobFigures: jobFiguresOf(0, 0, 0)}
}
