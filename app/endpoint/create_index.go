package endpoint

import (
	"context"
	"fmt"
	"time"

	"searchmcp/engine/api"
)

// createResult is RFC 4.1's output and what a call that could not wait has to add.
type createResult struct {
	Status        string `json:"status" doc:"success, indexing (goes on in the background) or cancelled"`
	ProjectPath   string `json:"projectPath"`
	FilesIndexed  int    `json:"filesIndexed"`
	ChunksCreated int    `json:"chunksCreated"`
	Duration      string `json:"duration"`
	beyondRFC
	Message  string       `json:"message"`
	Progress *jobProgress `json:"progress,omitempty"`
	notes
}

func createIndex() tool {
	return tool{
		name: "create_index", title: "Index a project",
		sentence: "Creates a new index for the current project.",
		more: "Use it once, when a search says INDEX_NOT_FOUND. The user is asked first and may say no. Status \"indexing\": it goes on " +
			"in the background, and searches answer from what is there.",
		params: []param{projectParam}, output: createResult{}, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) { return c.create(ctx) },
	}
}

func (c *call) create(ctx context.Context) (any, error) {
	root, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	job, running := c.backend.Running(root, api.ActionCreate)
	if !running {
		p, err := c.backend.Status(ctx, root)
		if err != nil {
			return nil, err
		}
		if p.Progress != nil && (p.State == api.StateIndexing || p.State == api.StateEmbedding) {
			return unfinished(p), nil
		}
		// With «always allow» a repeated call brings the index up to date instead; nothing is asked then.
		if p.State != api.StateNotIndexed && !p.AlwaysAllow {
			return nil, api.New(api.AlreadyIndexed,
				"This project is already indexed and is kept up to date by itself. To rebuild it from scratch, use reindex_project.",
				fmt.Sprintf("%s has an index (%s, %s)", root, p.State, files(p.Files)), nil)
		}
		answer, err := c.consent(ctx, api.ActionCreate, root)
		if err != nil {
			return nil, err
		}
		if !answer.Yes() {
			return &createResult{Status: statusCancelled, ProjectPath: root, Duration: length(0), Message: declined(answer)}, nil
		}
		// The person has decided: the work is the app's from here on, whether or not the client stays.
		if job, err = c.backend.Create(context.WithoutCancel(ctx), root, answer == api.Always); err != nil {
			return nil, err
		}
	}
	o, err := c.follow(ctx, job)
	if err != nil {
		return nil, err
	}
	return &createResult{
		Status: o.status, ProjectPath: root, FilesIndexed: o.stats.FilesIndexed, ChunksCreated: o.stats.ChunksCreated,
		Duration: length(o.stats.Duration.Round(time.Second)), Progress: o.progress,
		Message: jobMessage(o, "Index created successfully"),
	}, nil
}

// unfinished is the answer for an index that is being made without a job of ours, such as one that was interrupted and
// goes on since the app started.
func unfinished(p api.Project) *createResult {
	o := outcome{status: statusIndexing, progress: figures(*p.Progress)}
	return &createResult{
		Status: o.status, ProjectPath: p.Root(), FilesIndexed: p.Files, ChunksCreated: p.Chunks,
		Duration: length(time.Since(p.Progress.Started).Round(time.Second)), Message: jobMessage(o, ""), Progress: o.progress,
	}
}

// declined says why nothing was done.
func declined(a api.Answer) string {
	if a == api.TimedOut {
		return "Nobody answered within 2 minutes, so nothing was changed."
	}
	return "The user said no, so nothing was changed. Do not ask again unless the user wants it."
}

// jobMessage says how a job stands; success is the sentence for the good end.
func jobMessage(o outcome, success string) string {
	switch o.status {
	case statusIndexing:
		return o.progress.Message + ". It goes on in the background. Searches answer from what is there; get_index_status shows the progress, and calling this tool again waits on."
	case statusCancelled:
		return "The job was stopped before it was done."
	default:
		return success
	}
}
