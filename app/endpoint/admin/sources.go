package admin

import (
	"context"
	"fmt"

	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Sources are the sources other than projects.
type Sources interface {
	Documents
	Sites
	Named
	Archives
}

func listSources(ctx context.Context, c *call, e Sources, _ wire.Empty) (wire.Sources, error) {
	out := wire.Sources{
		Documents: e.DocumentSources(scope.Folders(ctx, c.session, e)),
		Sites:     e.Sites(), Named: e.NamedIndexes(),
	}
	path, served := c.archive(e)
	var err error
	if out.Archive, err = e.ArchiveInfo(ctx, path); err != nil {
		return wire.Sources{}, err
	}
	out.Archive.Exists = served
	return out, nil
}

// Documents are folders of documents.
type Documents interface {
	scope.Documents
	// DocumentSources describes the given folders and the added folders, even those that are not served.
	DocumentSources(folders []api.DocumentFolder) []api.DocumentSource
	AddDocumentFolder(dir string) error
	RemoveDocumentFolder(dir string) error
	// FindDocuments searches the documents of folders; total is the number of all matches.
	FindDocuments(ctx context.Context, folders []api.DocumentFolder, q api.DocumentQuery) (hits []api.DocumentHit,
		total int, err error)
}

func searchDocuments(ctx context.Context, c *call, e Documents, p wire.DocumentSearch) (wire.SourceResults, error) {
	hits, total, err := e.FindDocuments(ctx, scope.Folders(ctx, c.session, e), p.Query)
	return wire.SourceResults{Documents: hits, TotalDocuments: total}, err
}

func addDocuments(_ context.Context, _ *call, e Documents, p wire.DocumentsRef) (wire.Empty, error) {
	return done(e.AddDocumentFolder(p.Dir))
}

func removeDocuments(_ context.Context, _ *call, e Documents, p wire.DocumentsRef) (wire.Empty, error) {
	return done(e.RemoveDocumentFolder(p.Dir))
}

// Sites are search indexes of static sites.
type Sites interface {
	Sites() []api.Site
	CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error)
	AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error)
	RemoveSite(ref string) (api.Site, error)
	RefreshSites(ctx context.Context) []api.Site
	BuildSite(ctx context.Context, b api.SiteBuild) (api.SiteBuilt, error)
	SearchSite(ctx context.Context, tool, query string, limit int) (pages []api.SitePage, total int, err error)
}

func checkSite(ctx context.Context, _ *call, e Sites, p api.SiteLocation) (api.SiteReport, error) {
	return e.CheckSite(ctx, p)
}

func addSite(ctx context.Context, _ *call, e Sites, p wire.SiteAdd) (api.Site, error) {
	return e.AddSite(ctx, p.SiteLocation, p.Prefix)
}

func removeSite(_ context.Context, _ *call, e Sites, p wire.SiteRef) (api.Site, error) {
	return e.RemoveSite(p.Site)
}

func refreshSites(ctx context.Context, _ *call, e Sites, _ wire.Empty) ([]api.Site, error) {
	return e.RefreshSites(ctx), nil
}

func buildSite(ctx context.Context, _ *call, e Sites, p api.SiteBuild) (api.SiteBuilt, error) {
	return e.BuildSite(ctx, p)
}

// Named are the named indexes.
type Named interface {
	NamedIndexes() api.NamedIndexes
	RemoveNamed(index string) error
}

func removeNamed(_ context.Context, _ *call, e Named, p wire.NamedRef) (wire.Empty, error) {
	return done(e.RemoveNamed(p.Index))
}

// Archives are SQLite archives.
type Archives interface {
	// Archive returns the session's archive; exists is false if there is none.
	Archive(searchDBPath, dir string) (path string, exists bool)
	ArchiveInfo(ctx context.Context, path string) (api.ArchiveInfo, error)
	// ImportArchive reports the finished and the total number of files to progress. broad allows importing a home
	// folder or a whole disk.
	ImportArchive(ctx context.Context, path, dir string, broad bool, progress func(files, of int)) (api.ArchiveReport,
		error)
	RemoveFromArchive(ctx context.Context, path, folder string) (api.ArchiveInfo, error)
	SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error)
}

// archive returns the session's archive.
func (c *call) archive(e Archives) (path string, exists bool) {
	hello := c.session.Hello()
	return e.Archive(hello.SearchDBPath, hello.Dir)
}

// importArchive imports into the session's archive and creates it if necessary.
func importArchive(ctx context.Context, c *call, e Archives, p wire.ArchiveImport) (api.ArchiveReport, error) {
	path, _ := c.archive(e)
	progress := session.NewProgress(ctx, c.session)
	return e.ImportArchive(ctx, path, p.Dir, p.Broad, func(files, of int) {
		progress.Of(float64(of))
		progress.Report(float64(files), fmt.Sprintf("Reading documents: %d of %d", files, of))
	})
}

func removeFromArchive(ctx context.Context, c *call, e Archives, p wire.ArchiveRef) (api.ArchiveInfo, error) {
	path, _ := c.archive(e)
	return e.RemoveFromArchive(ctx, path, p.Folder)
}
