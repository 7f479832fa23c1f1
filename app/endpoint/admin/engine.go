package admin

import (
	"context"

	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

type Engine interface {
	scope.Engine

	Paused() bool
	// Model returns the state of the embedding model: "loaded", "unloaded", "missing" or "failed".
	Model() string
	Problems() []api.Error
	Unread() []string
	SetSettings(changes map[string]any) (map[string]any, error)
	Logs(root string, lines int, level string) ([]string, error)
	// Doctor examines the project at root, or all projects if root is "".
	Doctor(ctx context.Context, root string) []api.Finding

	Pause(root string) error  // all projects if root is ""
	Resume(root string) error // all projects if root is ""
	// Purge erases the deleted text of a project from disk, or of all projects if root is "".
	Purge(ctx context.Context, root string) error
	Cancel(jobID string) error
	Revoke(root string) error
	AddRoot(ctx context.Context, root, dir, name string) (api.Project, error)
	RemoveRoot(ctx context.Context, root, dir string) (api.Project, error) // dir is the path or name of the root
	Relocate(ctx context.Context, root, dir string) (api.Project, error)   // dir is the new path
	// PreviewConfig returns the preview of root with text as its new config.json. problems describes the invalid
	// fields.
	PreviewConfig(ctx context.Context, root, text string) (p api.Preview, problems []string, err error)
	ConfigText(root string) (text string, problems []string, err error)
	SetConfigText(ctx context.Context, root, text string) (problems []string, err error)

	// FileText returns at most count lines around the given line of a file, in its current state.
	FileText(ctx context.Context, root, path string, line, count int) (api.FileText, error)
	Languages() []string

	DocumentSources(folders []api.DocumentFolder) []api.DocumentSource
	AddDocumentFolder(dir string) error
	RemoveDocumentFolder(dir string) error
	FindDocuments(ctx context.Context, folders []api.DocumentFolder, q api.DocumentQuery) (hits []api.DocumentHit,
		total int, err error)
	CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error)
	AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error)
	RemoveSite(ref string) (api.Site, error)
	RefreshSites(ctx context.Context) []api.Site
	BuildSite(ctx context.Context, b api.SiteBuild) (api.SiteBuilt, error)
	NamedIndexes() api.NamedIndexes
	RemoveNamed(index string) error
	ArchiveInfo(ctx context.Context, path string) (api.ArchiveInfo, error)
	// ImportArchive imports the documents in dir. A home folder or a whole disk is refused unless broad is set.
	ImportArchive(ctx context.Context, path, dir string, broad bool, progress func(files, of int)) (api.ArchiveReport,
		error)
	RemoveFromArchive(ctx context.Context, path, folder string) (api.ArchiveInfo, error)

	// AddShared adds the shared index at location to the project at root. It registers root if necessary.
	AddShared(ctx context.Context, root, location string) (api.Project, error)
	RemoveShared(ctx context.Context, root string) (api.Project, error)
	PublishShared(ctx context.Context, root, location string,
		progress func(stage api.PublishStage, done, of int)) (api.Publication, error)
}
