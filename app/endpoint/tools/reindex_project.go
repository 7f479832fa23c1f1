package tools

import (
	"cmp"
	"context"

	"searchmcp/engine/api"
)

// reindexResult is the result that RFC 4.5 defines, with more fields for a call that returns before the job is done.
type reindexResult struct {
	Status api.Outcome `json:"status" doc:"success, indexing (continues in the background) or cancelled"`
	jobFigures
	Message     string `json:"message"`
	_           beyondRFC
	ProjectPath string `json:"projectPath"`
	jobDetails
}

func reindexProject() tool {
	return define(tool{
		name: "reindex_project", title: "Rebuild the index",
		sentence: "Rebuilds the entire index from scratch.",
		more:     "Only if get_index_status reports damage. The user is asked first.",
		output:   reindexResult{}, destructive: true, idempotent: true, asks: true,
	}, func(ctx context.Context, c *call, a projectParam) (any, error) {
		root, err := c.whole(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		job, running := c.engine.Running(root, api.ActionReindex)
		if !running {
			answer, err := c.approval(ctx, api.ActionReindex, root)
			if err != nil {
				return nil, err
			}
			if !answer.Yes() {
				return rebuilt(declined(root, answer.Answer)), nil
			}
			if job, err = c.engine.Reindex(context.WithoutCancel(ctx), root, answer); err != nil {
				return nil, err
			}
		}
		o, err := c.follow(ctx, root, job, "Index rebuilt successfully")
		if err != nil {
			return nil, err
		}
		return rebuilt(o), nil
	})
}

func rebuilt(o *createResult) *reindexResult {
	return &reindexResult{Status: o.Status, jobFigures: o.jobFigures, Message: o.Message, ProjectPath: o.ProjectPath,
		jobDetails: o.jobDetails}
}

// approval asks the user to approve an action on the index at root. It returns INDEX_NOT_FOUND if root has no index.
func (c *call) approval(ctx context.Context, action api.Action, root string) (api.Approval, error) {
	p, err := c.engine.Status(ctx, root)
	switch {
	case err != nil:
		return api.Approval{}, err
	case p.State == api.StateNotIndexed:
		return api.Approval{}, cmp.Or(p.Problem, api.ErrIndexNotFound(p.ID))
	}
	return c.confirm(ctx, action, root, p)
}
