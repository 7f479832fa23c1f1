package tools

import (
	"context"

	"searchmcp/engine/api"
)

type deleteResult struct {
	Status      api.Outcome `json:"status" doc:"success or cancelled"`
	ProjectPath string      `json:"projectPath"`
	Message     string      `json:"message"`
	notes
}

func deleteIndex() tool {
	return define(tool{
		name: "delete_index", title: "Delete an index",
		sentence: "Removes the index for the current project.",
		more:     "The files stay. The user is asked first.",
		output:   deleteResult{}, destructive: true, idempotent: true, asks: true,
	}, func(ctx context.Context, c *call, a projectParam) (any, error) {
		root, err := c.whole(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		answer, err := c.approval(ctx, api.ActionDelete, root)
		if err != nil {
			return nil, err
		}
		if !answer.Yes() {
			o := declined(root, answer.Answer)
			return &deleteResult{Status: o.Status, ProjectPath: root, Message: o.Message}, nil
		}
		// The deletion continues if the client disconnects.
		if err := c.engine.Delete(context.WithoutCancel(ctx), root, answer); err != nil {
			return nil, err
		}
		c.activity.Outcome = api.OutcomeDone
		return &deleteResult{Status: api.OutcomeDone, ProjectPath: root, Message: "Index deleted successfully"}, nil
	})
}
