package tools

import (
	"context"
	"encoding/json"

	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

// Engine is the part of the engine that the tools use. Its methods are safe for concurrent use. Errors of unknown types
// are reported as INTERNAL_ERROR.
type Engine interface {
	scope.Engine

	// Status returns the status of a project. State is api.StateNotIndexed if root has no index.
	Status(ctx context.Context, root string) (api.Project, error)
	Running(root string, a api.Action) (api.Job, bool)
	// Create and Reindex start a job, which continues after ctx ends, or return the running job. The caller must first
	// have asked the user.
	Create(ctx context.Context, root string, a api.Approval) (api.Job, error)
	Reindex(ctx context.Context, root string, a api.Approval) (api.Job, error)
	Delete(ctx context.Context, root string, a api.Approval) error
	ReindexFile(ctx context.Context, root, path string) (chunks int, err error)
	Partial(root, path string) string
	PathIn(root, typed string) string

	// HasDocuments reports whether folders contain a document. Each tools/list calls it, so it must be fast.
	HasDocuments(ctx context.Context, folders []api.DocumentFolder) bool
	SearchDocuments(ctx context.Context, folders []api.DocumentFolder,
		q api.DocumentQuery) (text string, results int, err error)
	NamedSearch(index, query string, k int) (api.NamedAnswer, error)
	NamedAdd(index, id, content string, metadata json.RawMessage) (replaced bool, tokens int, err error)
	NamedCreate(x api.NamedIndex) error
}
