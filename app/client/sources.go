package client

import (
	"context"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// Sources lists what is served beside the projects.
func (c *Client) Sources(ctx context.Context) (wire.Sources, error) {
	return ask[wire.Sources](ctx, c, wire.MethodSources, nil)
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

// ImportArchive takes a folder into the archive.
func (c *Client) ImportArchive(ctx context.Context, dir string) (api.ArchiveReport, error) {
	return ask[api.ArchiveReport](ctx, c, wire.MethodArchiveImport, wire.ArchiveImport{Dir: dir})
}
