package sources

import (
	"context"

	"searchmcp/engine/api"
)

func reservedTool(name string) bool {
	switch name {
	case "search_code", "search_docs", "search_by_path", "search_documents",
		"search_index", "search_add_document", "search_create_index":
		return true
	}
	return false
}

// Sites returns the sites, ordered by tool name.
func (s *Sources) Sites() []api.Site { return s.sites.List() }

// CheckSite fetches an index and returns its problems or its description. It stores no copy.
func (s *Sources) CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return s.sites.Check(ctx, at)
}

// AddSite fetches a site's index and serves it.
func (s *Sources) AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return s.sites.Add(ctx, at, prefix)
}

// RemoveSite removes a site by its tool, prefix, address or name.
func (s *Sources) RemoveSite(ref string) (api.Site, error) { return s.sites.Remove(ref) }

// RefreshSites fetches newer indexes of all sites.
func (s *Sources) RefreshSites(ctx context.Context) []api.Site {
	s.sites.Refresh(ctx)
	return s.sites.List()
}

// SearchSite searches the site of a tool.
func (s *Sources) SearchSite(ctx context.Context, tool, query string, limit int) ([]api.SitePage, int, error) {
	return s.sites.Search(ctx, tool, query, limit)
}
