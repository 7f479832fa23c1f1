package client

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Sources lists what is served beside the projects.
func (c *Client) Sources(ctx context.Context) (wire.Sources, error) {
	return ask[wire.Sources](ctx, c, wire.MethodSources, nil)
}

// SearchDocuments searches the documents that the session has.
func (c *Client) SearchDocuments(ctx context.Context, s wire.DocumentSearch) (wire.SourceResults, error) {
	return ask[wire.SourceResults](ctx, c, wire.MethodDocsSearch, s)
}

// SearchSources looks into what is served beside the projects.
func (c *Client) SearchSources(ctx context.Context, s wire.SourceSearch) (wire.SourceResults, error) {
	return ask[wire.SourceResults](ctx, c, wire.MethodSourcesSearch, s)
}

// AddDocuments serves the documents of a folder, absolute, to every session.
func (c *Client) AddDocuments(ctx context.Context, dir string) error {
	return c.Call(ctx, wire.MethodDocsAdd, wire.DocumentsRef{Dir: dir}, nil)
}

// RemoveDocuments takes a folder out of those that were added.
func (c *Client) RemoveDocuments(ctx context.Context, dir string) error {
	return c.Call(ctx, wire.MethodDocsRemove, wire.DocumentsRef{Dir: dir}, nil)
}

// CheckSite says everything that is wrong with an index, or what it would be served as.
func (c *Client) CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return ask[api.SiteReport](ctx, c, wire.MethodSiteValidate, at)
}

// AddSite adds a site.
func (c *Client) AddSite(ctx context.Context, s wire.SiteAdd) (api.Site, error) {
	return ask[api.Site](ctx, c, wire.MethodSiteAdd, s)
}

// RemoveSite removes a site, named by its tool, prefix, address or name.
func (c *Client) RemoveSite(ctx context.Context, site string) (api.Site, error) {
	return ask[api.Site](ctx, c, wire.MethodSiteRemove, wire.SiteRef{Site: site})
}

// RefreshSites asks every site for a newer index now.
func (c *Client) RefreshSites(ctx context.Context) ([]api.Site, error) {
	return ask[[]api.Site](ctx, c, wire.MethodSiteRefresh, nil)
}

// BuildSite makes an index of a folder of pages.
func (c *Client) BuildSite(ctx context.Context, b api.SiteBuild) (api.SiteBuilt, error) {
	return ask[api.SiteBuilt](ctx, c, wire.MethodSiteBuild, b)
}

// RemoveNamed removes a named index; the default one is emptied.
func (c *Client) RemoveNamed(ctx context.Context, index string) error {
	return c.Call(ctx, wire.MethodNamedRemove, wire.NamedRef{Index: index}, nil)
}

// ImportArchive takes a folder into the archive. When ctx ends the import stops; what it took in by then stays.
// progress is told how many documents are done of how many; it may be nil, and is called from the reading goroutine.
func (c *Client) ImportArchive(
	ctx context.Context, in wire.ArchiveImport, progress func(ToolProgress),
) (api.ArchiveReport, error) {
	return follow[api.ArchiveReport](ctx, c, wire.MethodArchiveImport, in, progress)
}

// RemoveFromArchive takes the documents of an imported folder out of the archive.
func (c *Client) RemoveFromArchive(ctx context.Context, folder string) (api.ArchiveInfo, error) {
	return ask[api.ArchiveInfo](ctx, c, wire.MethodArchiveRemove, wire.ArchiveRef{Folder: folder})
}
