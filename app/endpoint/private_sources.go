package endpoint

import (
	"context"
	"fmt"

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
	out := wire.Sources{
		Documents: src.DocumentSources(c.srv.documentFolders(ctx, c.session)),
		Sites:     src.Sites(), Named: src.NamedIndexes(),
	}
	path, served := c.archive(src)
	if out.Archive, err = src.ArchiveInfo(ctx, path); err != nil {
		return nil, err
	}
	out.Archive.Exists = served
	return out, nil
}

// archive is the one that the session means.
func (c *caller) archive(src Sources) (path string, exists bool) {
	hello := c.facts()
	return src.Archive(hello.SearchDBPath, hello.Dir)
}

func (c *caller) addDocuments(_ context.Context, p wire.DocumentsRef) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return done(src.AddDocumentFolder(p.Dir))
}

func (c *caller) removeDocuments(_ context.Context, p wire.DocumentsRef) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return done(src.RemoveDocumentFolder(p.Dir))
}

func (c *caller) checkSite(ctx context.Context, p api.SiteLocation) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return src.CheckSite(ctx, p)
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

func (c *caller) removeNamed(_ context.Context, p wire.NamedRef) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	return done(src.RemoveNamed(p.Index))
}

// importArchive fills the archive that the session means, which the import makes if it is not there.
func (c *caller) importArchive(ctx context.Context, p wire.ArchiveImport) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	path, _ := c.archive(src)
	told := newProgress(ctx, c.session)
	return src.ImportArchive(ctx, path, p.Dir, func(files, of int) {
		told.total = float64(of)
		told.report(float64(files), fmt.Sprintf("Reading documents: %d of %d", files, of))
	})
}

func (c *caller) removeFromArchive(ctx context.Context, p wire.ArchiveRef) (any, error) {
	src, err := c.withSources()
	if err != nil {
		return nil, err
	}
	path, _ := c.archive(src)
	return src.RemoveFromArchive(ctx, path, p.Folder)
}
