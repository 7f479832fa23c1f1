package tools

import (
	"context"
	"encoding/json"

	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

// Engine is the part of the engine that the tools use. Its methods are safe for concurrent use. The tools report errors
// other than *api.Error and api.SourceError as INTERNAL_ERROR.
type Engine interface {
	scope.Engine
	confirm.Engine

	// Status describes any folder. Its State is api.StateNotIndexed if the folder has no index.
	Status(ctx context.Context, root string) (api.Project, error)
	// Running returns the running job of a kind for root.
	Running(root string, a api.Action) (api.Job, bool)
	// Create and Reindex start a job or join a running job, which continues after ctx ends. Callers of these or of Delete
	// must have asked the user. If the answer is api.Always, Create stores it.
	Create(ctx context.Context, root string, a api.Approval) (api.Job, error)
	Reindex(ctx context.Context, root string, a api.Approval) (api.Job, error)
	// Delete ends the project's jobs and removes its index.
	Delete(ctx context.Context, root string, a api.Approval) error
	// ReindexFile indexes one file again and returns the number of its chunks. path is relative to the project.
	ReindexFile(ctx context.Context, root, path string) (chunks int, err error)
	// Partial describes the omitted part of an indexed file, or returns "".
	Partial(root, path string) string
	// PathIn resolves a typed path within a project.
	PathIn(root, typed string) string

	// HasDocuments must be fast, because each tools/list of a session calls it.
	HasDocuments(ctx context.Context, folders []api.DocumentFolder) bool
	// SearchDocuments returns the answer's text and the number of results.
	SearchDocuments(ctx context.Context, folders []api.DocumentFolder,
		q api.DocumentQuery) (text string, results int, err error)
	NamedSearch(index, query string, k int) (api.NamedAnswer, error)
	NamedAdd(index, id, content string, metadata json.RawMessage) (replaced bool, tokens int, err error)
	NamedCreate(x api.NamedIndex) error
}
