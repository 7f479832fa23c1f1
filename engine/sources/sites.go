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

func (s *Sources) Sites() []api.Site { return s.sites.List() }

func (s *Sources) CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return s.sites.Check(ctx, at)
}

func (s *Sources) AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return s.sites.Add(ctx, at, prefix)
}

func (s *Sources) RemoveSite(ref string) (api.Site, error) { return s.sites.Remove(ref) }

func (s *Sources) RefreshSites(ctx context.Context) []api.Site {
	s.sites.Refresh(ctx)
	return s.sites.List()
}

func (s *Sources) SearchSite(ctx context.Context, tool, query string, limit int) ([]api.SitePage, int, error) {
	return s.sites.Search(ctx, tool, query, limit)
}
