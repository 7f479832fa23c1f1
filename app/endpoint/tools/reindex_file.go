package tools

import (
	"context"
	"path/filepath"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type reindexFileParams struct {
	Path string `json:"path" arg:"required" doc:"Relative path to the file (e.g., 'src/auth/login.ts')"`
	projectParam
}

type reindexFileResult struct {
	Status        api.Outcome `json:"status"`
	Path          string      `json:"path"`
	ChunksCreated int         `json:"chunksCreated"`
	Message       string      `json:"message"`
	_             beyondRFC
	ProjectPath   string `json:"projectPath"`
	notes
}

func reindexFile() tool {
	return define(tool{
		name: "reindex_file", title: "Re-index one file",
		sentence: "Re-indexes a single specific file.",
		more:     "Only if a result is stale and you need the current text at once.",
		output:   reindexFileResult{}, idempotent: true,
	}, func(ctx context.Context, c *call, a reindexFileParams) (any, error) {
		path := a.Path
		if strings.TrimSpace(path) == "" {
			return nil, api.ErrArgument("path", "the relative path of a file, not empty")
		}
		if len(path) > maxPath {
			return nil, api.ErrFileNotFound(display.Shorten(path, display.MaxEcho))
		}
		project := a.Project
		if project == "" && filepath.IsAbs(path) {
			project, _ = c.find().Containing(path)
		}
		root, err := c.project(ctx, project)
		if err != nil {
			return nil, err
		}
		path = c.engine.PathIn(root, path)
		chunks, err := c.engine.ReindexFile(ctx, root, path)
		code := api.CodeOf(err)
		if filepath.IsAbs(path) && code != api.IndexNotFound || filepath.IsAbs(a.Path) && code == api.FileNotFound {
			err = api.ErrFileNotFound(display.Shorten(a.Path, display.MaxEcho))
		}
		if err != nil {
			return nil, err
		}
		c.activity.Results = chunks
		r := &reindexFileResult{
			Status: api.OutcomeDone, Path: path, ChunksCreated: chunks, Message: "File re-indexed successfully",
			ProjectPath: root,
		}
		if what := c.engine.Partial(root, path); what != "" {
			r.addNote("Partly indexed: " + what + ".")
		}
		return r, nil
	})
}

const maxPath = 4096
