package endpoint

import (
	"context"
	"time"

	"searchmcp/engine/api"
)

// reindexResult is RFC 4.5's output and what a call that could not wait has to add.
type reindexResult struct {
	Status        string `json:"status" doc:"success, indexing (goes on in the background) or cancelled"`
	FilesIndexed  int    `json:"filesIndexed"`
	ChunksCreated int    `json:"chunksCreated"`
	Duration      string `json:"duration"`
	Message       string `json:"message"`
	beyondRFC
	ProjectPath string       `json:"projectPath"`
	Progress    *jobProgress `json:"progress,omitempty"`
	notes
}

func reindexProject() tool {
	return tool{
		name: "reindex_project", title: "Rebuild the index",
		sentence: "Rebuilds the entire index from scratch.",
		more: "Rarely needed: changed files are picked up by themselves. Use it when get_index_status reports a damaged index. " +
			"The user is asked first. The old index answers searches until the new one is complete.",
		params: []param{projectParam}, output: reindexResult{}, destructive: true, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) { return c.reindex(ctx) },
	}
}

func (c *call) reindex(ctx context.Context) (any, error) {
	root, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	job, running := c.backend.Running(root, api.ActionReindex)
	if !running {
		if err := c.indexed(ctx, root); err != nil {
			return nil, err
		}
		answer, err := c.consent(ctx, api.ActionReindex, root)
		if err != nil {
			return nil, err
		}
		if !answer.Yes() {
			return &reindexResult{Status: statusCancelled, ProjectPath: root, Duration: length(0), Message: declined(answer)}, nil
		}
		if job, err = c.backend.Reindex(context.WithoutCancel(ctx), root); err != nil {
			return nil, err
		}
	}
	o, err := c.follow(ctx, job)
	if err != nil {
		return nil, err
	}
	return &reindexResult{
		Status: o.status, FilesIndexed: o.stats.FilesIndexed, ChunksCreated: o.stats.ChunksCreated,
		Duration: length(o.stats.Duration.Round(time.Second)), ProjectPath: root, Progress: o.progress,
		Message: jobMessage(o, "Index rebuilt successfully"),
	}, nil
}

// indexed is INDEX_NOT_FOUND for a project without an index, before anybody is asked about it.
func (c *call) indexed(ctx context.Context, root string) error {
	p, err := c.backend.Status(ctx, root)
	if err != nil {
		return err
	}
	if p.State == api.StateNotIndexed {
		return api.ErrIndexNotFound(p.ID)
	}
	return nil
}
