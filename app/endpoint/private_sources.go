package endpoint

import (
	"context"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// withSources returns the engine's sources; the window and the terminal talk to the app that they came with, so an
// engine without any is a fault.
func (c *caller) withSources() (Sources, error) {
	src, ok := c.Backend.(Sources)
	if !ok {
		return nil, api.New(api.Internal, "This app has no documents, sites and archives.", "the backend has no sources", nil)
	}
	return src, nil
}

func (c *caller) listSources(ctx context.Context, _ wire.Empty) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	hello := c.facts()
	out := wire.Sources{Documents: c.srv.documentFolders(ctx, c.session), Sites: src.Sites()}
	out.Archive, out.HasData = src.Archive(hello.SearchDBPath, hello.Dir)
	if out.Documents == nil {
		out.Documents = []api.DocumentFolder{}
	}
	return out, nil
}

func (c *caller) addSite(ctx context.Context, p wire.SiteAdd) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return src.AddSite(ctx, p.SiteLocation, p.Prefix)
}

func (c *caller) removeSite(_ context.Context, p wire.SiteRef) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return src.RemoveSite(p.Site)
}

func (c *caller) refreshSites(ctx context.Context, _ wire.Empty) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return src.RefreshSites(ctx), nil
}

func (c *caller) buildSite(ctx context.Context, p api.SiteBuild) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return src.BuildSite(ctx, p)
}

// importArchive fills the archive that the session means, which the import makes if it is not there.
func (c *caller) importArchive(ctx context.Context, p wire.ArchiveImport) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	hello := c.facts()
	path, _ := src.Archive(hello.SearchDBPath, hello.Dir)
	return src.ImportArchive(ctx, path, p.Dir)
}
