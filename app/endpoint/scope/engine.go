package scope

import (
	"context"
	"io/fs"

	"searchmcp/engine/api"
)

// Engine is the part of the engine that the tools and the private methods share.
type Engine interface {
	Documents
	// Subscribe returns a channel of events, which is closed when ctx ends. A slow subscriber gets only the newest
	// snapshots.
	Subscribe(ctx context.Context) <-chan api.Event
	Publish(e api.Event)
	Config(root string) api.Config
	// Preview returns what an index of root would contain.
	Preview(ctx context.Context, root string) (api.Preview, error)
	// Identify returns the identity of the folder at root, or nil if it can't be opened.
	Identify(root string) fs.FileInfo

	Search(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	Files(ctx context.Context, roots []string, q api.FileQuery) (api.FileResults, error)
	Symbol(ctx context.Context, roots []string, q api.SymbolQuery) (api.SymbolResults, error)
	Outline(ctx context.Context, root string, q api.OutlineQuery) (api.Outline, error)
	Grep(ctx context.Context, roots []string, q api.GrepQuery) (api.GrepResults, error)

	Sites() []api.Site
	SearchSite(ctx context.Context, tool, query string, limit int) (pages []api.SitePage, total int, err error)
	Archive(searchDBPath, dir string) (path string, exists bool)
	SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error)
}
