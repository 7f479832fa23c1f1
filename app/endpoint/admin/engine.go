package admin

import (
	"context"

	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

// Engine is the part of the engine that the methods use. Its methods don't ask the user.
type Engine interface {
	scope.Engine

	// Paused reports whether all work is paused.
	Paused() bool
	// Model is "loaded", "unloaded", "missing" or "failed".
	Model() string
	Problems() []api.Error
	// Unread lists the documents on which the document reader crashed.
	Unread() []string
	// SetSettings changes the given keys and returns all settings.
	SetSettings(changes map[string]any) (map[string]any, error)
	// Logs returns the last lines of a project's log, or of the app's log if root is "".
	Logs(root string, lines int, level string) ([]string, error)
	// Doctor examines the app and one project, or all projects if root is "".
	Doctor(ctx context.Context, root string) []api.Finding

	// Pause and Resume act on all projects if root is "".
	Pause(root string) error
	Resume(root string) error
	// Purge erases deleted or changed text of one project's index, or of all indexes, from disk.
	Purge(ctx context.Context, root string) error
	// Cancel stops a job and keeps the old index.
	Cancel(jobID string) error
	// Revoke revokes "always allow".
	Revoke(root string) error
	// RemoveRoot accepts the folder or its name. Relocate records that the project has moved to dir.
	AddRoot(ctx context.Context, root, dir, name string) (api.Project, error)
	RemoveRoot(ctx context.Context, root, dir string) (api.Project, error)
	Relocate(ctx context.Context, root, dir string) (api.Project, error)
	// PreviewConfig is Preview with the unsaved config.json text. problems has a sentence for each invalid field, here and
	// below. A text that can't be parsed is an error.
	PreviewConfig(ctx context.Context, root, text string) (p api.Preview, problems []string, err error)
	ConfigText(root string) (text string, problems []string, err error)
	SetConfigText(ctx context.Context, root, text string) (problems []string, err error)

	// FileText returns at most count lines around line of the file as it is now.
	FileText(ctx context.Context, root, path string, line, count int) (api.FileText, error)
	// Languages lists the languages that filter a search. LanguageNamed finds the language for a user's input.
	Languages() []string
	LanguageNamed(typed string) (name string, ok bool)

	// DocumentSources describes the given and the added folders, also folders that are not served.
	DocumentSources(folders []api.DocumentFolder) []api.DocumentSource
	AddDocumentFolder(dir string) error
	RemoveDocumentFolder(dir string) error
	// FindDocuments searches the documents in folders. total is the number of all matches.
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
	// ImportArchive passes the finished and the total number of files to progress. broad allows a home folder or a whole
	// disk.
	ImportArchive(ctx context.Context, path, dir string, broad bool, progress func(files, of int)) (api.ArchiveReport,
		error)
	RemoveFromArchive(ctx context.Context, path, folder string) (api.ArchiveInfo, error)

	// AddShared makes the shared index at location the base of root's own index, and registers root if necessary. After
	// RemoveShared the files are indexed locally.
	AddShared(ctx context.Context, root, location string) (api.Project, error)
	RemoveShared(ctx context.Context, root string) (api.Project, error)
	// PublishShared writes root's complete index to location.
	PublishShared(ctx context.Context, root, location string,
		progress func(stage api.PublishStage, done, of int)) (api.Publication, error)
}
