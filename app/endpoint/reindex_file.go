package endpoint

import (
	"context"
	"strings"

	"searchmcp/engine/api"
)

// reindexFileResult is RFC 4.6's output.
type reindexFileResult struct {
	Status        string `json:"status"`
	Path          string `json:"path"`
	ChunksCreated int    `json:"chunksCreated"`
	Message       string `json:"message"`
	beyondRFC
	ProjectPath string `json:"projectPath"`
	notes
}

func reindexFile() tool {
	return tool{
		name: "reindex_file", title: "Re-index one file",
		sentence: "Re-indexes a single specific file.",
		more:     "Use it when a result is marked stale and you need the file's current text at once; otherwise changes are picked up by themselves.",
		params: []param{
			{name: "path", kind: kindString, required: true, description: "Relative path to the file (e.g., 'src/auth/login.ts')"},
			projectParam,
		},
		output: reindexFileResult{}, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) { return c.reindexOne(ctx) },
	}
}

func (c *call) reindexOne(ctx context.Context) (any, error) {
	path := c.args.text("path")
	if strings.TrimSpace(path) == "" {
		return nil, api.ErrArgument("path", "the relative path of a file, not empty")
	}
	if len(path) > maxPath {
		return nil, api.ErrFileNotFound(shorten(path, maxEcho))
	}
	root, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.indexed(ctx, root); err != nil {
		return nil, err
	}
	chunks, err := c.backend.ReindexFile(ctx, root, path)
	if err != nil {
		return nil, err
	}
	c.activity.Results = chunks
	return &reindexFileResult{
		Status: statusSuccess, Path: path, ChunksCreated: chunks, Message: "File re-indexed successfully", ProjectPath: root,
	}, nil
}

// maxPath is the longest path that the common systems know.
const maxPath = 4096
