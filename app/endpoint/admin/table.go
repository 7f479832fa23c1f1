package admin

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// table lists every private method except Hello.
var table = []method{
	with(wire.MethodStatus, get(status)),
	with(wire.MethodSubscribe, subscribe),
	with(wire.MethodSettingsGet, get(func(c *call) map[string]any { return c.engine.Settings() })),
	with(wire.MethodSettingsSet, setSettings),
	about(wire.MethodLogs, orAll, logs),
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
	about(wire.MethodFileText, one, fileText),
	with(wire.MethodLanguages, get(func(c *call) []string { return c.engine.Languages() })),
	in(wire.MethodSymbol, findSymbol),
	with(wire.MethodOutline, outline),
	in(wire.MethodGrep, func(ctx context.Context, c *call, roots []string, q api.GrepQuery) (api.GrepResults, error) {
		return c.engine.Grep(ctx, roots, q)
	}),
	about(wire.MethodPreview, one, preview),
	about(wire.MethodPause, orAll, act(Engine.Pause)),
	about(wire.MethodResume, orAll, act(Engine.Resume)),
	about(wire.MethodPurge, orAll, func(ctx context.Context, c *call, root string, _ wire.ProjectRef) (wire.Empty,
		error) {
		return wire.Empty{}, c.engine.Purge(ctx, root)
	}),
	with(wire.MethodCancel, func(_ context.Context, c *call, p wire.CancelJob) (wire.Empty, error) {
		return wire.Empty{}, c.engine.Cancel(p.JobID)
	}),
	about(wire.MethodRevoke, one, act(Engine.Revoke)),
	about(wire.MethodRootAdd, one, addRoot),
	about(wire.MethodRootDel, one, removeRoot),
	about(wire.MethodLocate, one, relocate),
	about(wire.MethodConfigGet, one, getConfig),
	about(wire.MethodConfigSet, one, setConfig),
	about(wire.MethodConfigTry, one, tryConfig),

	with(wire.MethodSources, listSources),
	with(wire.MethodSourcesSearch, searchSources),
	with(wire.MethodDocsSearch, searchDocuments),
	with(wire.MethodDocsAdd, func(_ context.Context, c *call, p wire.DocumentsRef) (wire.Empty, error) {
		return wire.Empty{}, c.engine.AddDocumentFolder(p.Dir)
	}),
	with(wire.MethodDocsRemove, func(_ context.Context, c *call, p wire.DocumentsRef) (wire.Empty, error) {
		return wire.Empty{}, c.engine.RemoveDocumentFolder(p.Dir)
	}),
	with(wire.MethodSiteValidate, func(ctx context.Context, c *call, p api.SiteLocation) (api.SiteReport, error) {
		return c.engine.CheckSite(ctx, p)
	}),
	with(wire.MethodSiteAdd, func(ctx context.Context, c *call, p wire.SiteAdd) (api.Site, error) {
		return c.engine.AddSite(ctx, p.SiteLocation, p.Prefix)
	}),
	with(wire.MethodSiteRemove, func(_ context.Context, c *call, p wire.SiteRef) (api.Site, error) {
		return c.engine.RemoveSite(p.Site)
	}),
	with(wire.MethodSiteRefresh, func(ctx context.Context, c *call, _ wire.Empty) ([]api.Site, error) {
		return c.engine.RefreshSites(ctx), nil
	}),
	with(wire.MethodSiteBuild, func(ctx context.Context, c *call, p api.SiteBuild) (api.SiteBuilt, error) {
		return c.engine.BuildSite(ctx, p)
	}),
	with(wire.MethodNamedRemove, func(_ context.Context, c *call, p wire.NamedRef) (wire.Empty, error) {
		return wire.Empty{}, c.engine.RemoveNamed(p.Index)
	}),
	with(wire.MethodArchiveImport, importArchive),
	with(wire.MethodArchiveRemove, removeFromArchive),

	about(wire.MethodShareAdd, one, addShared),
	about(wire.MethodShareRemove, one, func(ctx context.Context, c *call, root string, _ wire.ProjectRef) (api.Project,
		error) {
		return c.engine.RemoveShared(ctx, root)
	}),
	about(wire.MethodSharePublish, one, publishShared),
}
