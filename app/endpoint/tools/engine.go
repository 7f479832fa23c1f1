package tools

import (
	"context"
	"encoding/json"

	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

// Engine methods are safe for concurrent use. Errors other than *api.Error and api.SourceError become INTERNAL_ERROR.
type Engine interface {
	scope.Engine

	// Status.State is api.StateNotIndexed if the folder has no index.
	Status(ctx context.Context, root string) (api.Project, error)
	Running(root string, a api.Action) (api.Job, bool)
	// Create and Reindex join a running job, which continues after ctx ends. Callers of these or of Delete must have
	// asked the user. Create stores api.Always.
	Create(ctx context.Context, root string, a api.Approval) (api.Job, error)
	Reindex(ctx context.Context, root string, a api.Approval) (api.Job, error)
	Delete(ctx context.Context, root string, a api.Approval) error
	// ReindexFile takes a path relative to the project.
	ReindexFile(ctx context.Context, root, path string) (chunks int, err error)
	// Partial describes the omitted part of a file, or returns "".
	Partial(root, path string) string
	PathIn(root, typed string) string

	// HasDocuments must be fast, because each tools/list calls it.
	HasDocuments(ctx context.Context, folders []api.DocumentFolder) bool
	SearchDocuments(ctx context.Context, folders []api.DocumentFolder,
		q api.DocumentQuery) (text string, results int, err error)
	NamedSearch(index, query string, k int) (api.NamedAnswer, error)
	NamedAdd(index, id, content string, metadata json.RawMessage) (replaced bool, tokens int, err error)
	NamedCreate(x api.NamedIndex) error
}
