package admin

import (
	"cmp"
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const shownLines = 1000 // maximum lines around the requested line

// table lists every private method except Hello.
var table = []method{
	with(wire.MethodStatus, get(status)),
	with(wire.MethodSubscribe, subscribe),
	with(wire.MethodSettingsGet, get(func(c *call) map[string]any { return c.engine.Settings() })),
	with(wire.MethodSettingsSet, setSettings),
	about(wire.MethodLogs, orAll, func(_ context.Context, c *call, root string, q wire.LogQuery) ([]string, error) {
		return c.engine.Logs(root, q.Lines, q.Level)
	}),
	with(wire.MethodActivity, get(func(c *call) []api.Activity { return c.o.Activity.List() })),
	with(wire.MethodUsage, get(func(c *call) api.Usage { return c.o.Activity.Usage() })),
	with(wire.MethodAsked, asked),
	with(wire.MethodSessions, get(func(c *call) []wire.Session { return c.o.Sessions() })),
	about(wire.MethodDoctor, orAll, func(ctx context.Context, c *call, root string, _ wire.ProjectRef) ([]api.Finding,
		error) {
		return c.engine.Doctor(ctx, root), nil
	}),
	with(wire.MethodShow, func(_ context.Context, c *call, p wire.Show) (wire.Empty, error) {
		return wire.Empty{}, c.o.Questions.Show(p)
	}),
	with(wire.MethodQuit, get(quit)),

	with(wire.MethodAnswer, answer),

	in(wire.MethodSearch, search),
	in(wire.MethodFiles, findFiles),
	about(wire.MethodFileText, one, func(ctx context.Context, c *call, at string, p wire.FileText) (api.FileText, error) {
		return c.engine.FileText(ctx, at, p.Path, p.Line, shownLines)
	}),
	with(wire.MethodLanguages, get(func(c *call) []string { return c.engine.Languages() })),
	in(wire.MethodSymbol, findSymbol),
	about(wire.MethodOutline, one, func(ctx context.Context, c *call, root string, p wire.Outline) (api.Outline, error) {
		return c.engine.Outline(ctx, root, p.Query)
	}),
	in(wire.MethodGrep, func(ctx context.Context, c *call, roots []string, q api.GrepQuery) (api.GrepResults, error) {
		return c.engine.Grep(ctx, roots, q)
	}),
	about(wire.MethodPreview, one, preview),
	act(wire.MethodPause, orAll, Engine.Pause),
	act(wire.MethodResume, orAll, Engine.Resume),
	about(wire.MethodPurge, orAll, func(ctx context.Context, c *call, root string, _ wire.ProjectRef) (wire.Empty,
		error) {
		return wire.Empty{}, c.engine.Purge(ctx, root)
	}),
	act(wire.MethodCancel, given, Engine.Cancel),
	act(wire.MethodRevoke, one, Engine.Revoke),
	about(wire.MethodRootAdd, one, func(ctx context.Context, c *call, at string, p wire.RootChange) (api.Project, error) {
		return c.engine.AddRoot(ctx, at, p.Dir, p.Name)
	}),
	about(wire.MethodRootDel, one, func(ctx context.Context, c *call, at string, p wire.RootChange) (api.Project, error) {
		return c.engine.RemoveRoot(ctx, at, cmp.Or(p.Dir, p.Name))
	}),
	about(wire.MethodLocate, one, func(ctx context.Context, c *call, at string, p wire.RootChange) (api.Project, error) {
		return c.engine.Relocate(ctx, at, p.Dir)
	}),
	about(wire.MethodConfigGet, one, func(_ context.Context, c *call, root string, _ wire.ProjectRef) (wire.ConfigText,
		error) {
		text, problems, err := c.engine.ConfigText(root)
		return wire.ConfigText{ProjectRef: wire.RefTo(root), Text: text, Problems: problems}, err
	}),
	about(wire.MethodConfigSet, one, setConfig),
	about(wire.MethodConfigTry, one, func(ctx context.Context, c *call, root string, p wire.ConfigText) (wire.ConfigTried,
		error) {
		preview, problems, err := c.engine.PreviewConfig(ctx, root, p.Text)
		return wire.ConfigTried{Preview: preview, Problems: problems}, err
	}),

	with(wire.MethodSources, listSources),
	with(wire.MethodSourcesSearch, searchSources),
	with(wire.MethodDocsSearch, searchDocuments),
	act(wire.MethodDocsAdd, given, Engine.AddDocumentFolder),
	act(wire.MethodDocsRemove, given, Engine.RemoveDocumentFolder),
	with(wire.MethodSiteValidate, func(ctx context.Context, c *call, p api.SiteLocation) (api.SiteReport, error) {
		return c.engine.CheckSite(ctx, p)
	}),
	with(wire.MethodSiteAdd, func(ctx context.Context, c *call, p wire.SiteAdd) (api.Site, error) {
		return c.engine.AddSite(ctx, p.SiteLocation, p.Prefix)
	}),
	with(wire.MethodSiteRemove, func(_ context.Context, c *call, p wire.Ref) (api.Site, error) {
		return c.engine.RemoveSite(p.Ref)
	}),
	with(wire.MethodSiteRefresh, func(ctx context.Context, c *call, _ wire.Empty) ([]api.Site, error) {
		return c.engine.RefreshSites(ctx), nil
	}),
	with(wire.MethodSiteBuild, func(ctx context.Context, c *call, p api.SiteBuild) (api.SiteBuilt, error) {
		return c.engine.BuildSite(ctx, p)
	}),
	act(wire.MethodNamedRemove, given, Engine.RemoveNamed),
	with(wire.MethodArchiveImport, importArchive),
	with(wire.MethodArchiveRemove, func(ctx context.Context, c *call, p wire.Ref) (api.ArchiveInfo, error) {
		path, _ := c.archive()
		return c.engine.RemoveFromArchive(ctx, path, p.Ref)
	}),

	about(wire.MethodShareAdd, one, func(ctx context.Context, c *call, root string, p wire.Share) (api.Project, error) {
		c.log.Info("the user adds a shared index", "project", root)
		return c.engine.AddShared(ctx, root, p.Location)
	}),
	about(wire.MethodShareRemove, one, func(ctx context.Context, c *call, root string, _ wire.ProjectRef) (api.Project,
		error) {
		return c.engine.RemoveShared(ctx, root)
	}),
	about(wire.MethodSharePublish, one, publishShared),
}
