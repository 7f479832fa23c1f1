package endpoint

import (
	"context"

	"searchmcp/engine/api"
)

// deleteResult is RFC 4.7's output.
type deleteResult struct {
	Status      string `json:"status" doc:"success or cancelled"`
	ProjectPath string `json:"projectPath"`
	Message     string `json:"message"`
	notes
}

func deleteIndex() tool {
	return tool{
		name: "delete_index", title: "Delete an index",
		sentence: "Removes the index for the current project.",
		more:     "Only when the user wants the index gone; the project's own files stay. The user is asked first; it cannot be undone.",
		params:   []param{projectParam}, output: deleteResult{}, destructive: true, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) { return c.delete(ctx) },
	}
}

func (c *call) delete(ctx context.Context) (any, error) {
	root, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.indexed(ctx, root); err != nil {
		return nil, err
	}
	answer, err := c.consent(ctx, api.ActionDelete, root)
	if err != nil {
		return nil, err
	}
	if !answer.Yes() {
		return &deleteResult{Status: statusCancelled, ProjectPath: root, Message: declined(answer)}, nil
	}
	// The person has decided; a client that goes now leaves no half-deleted index.
	if err := c.backend.Delete(context.WithoutCancel(ctx), root); err != nil {
		return nil, err
	}
	return &deleteResult{Status: statusSuccess, ProjectPath: root, Message: "Index deleted successfully"}, nil
}
