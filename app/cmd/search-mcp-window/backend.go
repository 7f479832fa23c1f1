package main

import (
	"context"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui"
)

// backend is ui's view of the app over one connection.
type backend struct{ *client.Client }

var _ ui.Backend = (*backend)(nil)

func ref(project string) wire.ProjectRef { return wire.ProjectRef{Project: project} }

func (b *backend) Status(ctx context.Context) (wire.Status, error) {
	return wire.MethodStatus.Call(ctx, b, wire.Empty{})
}

func (b *backend) Preview(ctx context.Context, dir string) (api.Preview, error) {
	return wire.MethodPreview.Call(ctx, b, ref(dir))
}

func (b *backend) Create(ctx context.Context, dir string) error {
	return b.change(ctx, "create_index", dir)
}

func (b *backend) Reindex(ctx context.Context, project string) error {
	return b.change(ctx, "reindex_project", project)
}

func (b *backend) Delete(ctx context.Context, project string) error {
	return b.change(ctx, "delete_index", project)
}

// change calls a tool to which the person has just agreed in this window: the click is the consent, and goes with the
// call. Without a progress token the call is answered as soon as the job is under way; the job then belongs to the app.
func (b *backend) change(ctx context.Context, tool, root string) error {
	_, err := b.CallAgreed(ctx, tool, map[string]any{"project": root}, nil)
	return err
}

func (b *backend) Pause(ctx context.Context, project string) error {
	return wire.MethodPause.Do(ctx, b, ref(project))
}

func (b *backend) Resume(ctx context.Context, project string) error {
	return wire.MethodResume.Do(ctx, b, ref(project))
}

func (b *backend) Cancel(ctx context.Context, jobID string) error {
	return wire.MethodCancel.Do(ctx, b, wire.CancelJob{JobID: jobID})
}

func (b *backend) Answer(ctx context.Context, id string, a api.Answer) error {
	return wire.MethodAnswer.Do(ctx, b, wire.AnswerQuestion{ID: id, Answer: a})
}

func (b *backend) Revoke(ctx context.Context, project string) error {
	return wire.MethodRevoke.Do(ctx, b, ref(project))
}

func (b *backend) AddRoot(ctx context.Context, project, dir string) error {
	return wire.MethodRootAdd.Do(ctx, b, wire.RootChange{Project: project, Dir: dir})
}

func (b *backend) RemoveRoot(ctx context.Context, project, dir string) error {
	return wire.MethodRootDel.Do(ctx, b, wire.RootChange{Project: project, Dir: dir})
}

func (b *backend) Locate(ctx context.Context, project, dir string) error {
	return wire.MethodLocate.Do(ctx, b, wire.RootChange{Project: project, Dir: dir})
}

func (b *backend) Search(ctx context.Context, projects []string, q api.Query) (api.Results, error) {
	return wire.MethodSearch.Call(ctx, b, wire.Search{Projects: projects, Query: q})
}

func (b *backend) Files(ctx context.Context, projects []string, q api.FileQuery) (api.FileResults, error) {
	return wire.MethodFiles.Call(ctx, b, wire.Files{Projects: projects, Query: q})
}

func (b *backend) SearchSources(ctx context.Context, s wire.SourceSearch) (wire.SourceResults, error) {
	return wire.MethodSourcesSearch.Call(ctx, b, s)
}

func (b *backend) FileText(ctx context.Context, project, path string, line int) (api.FileText, error) {
	return wire.MethodFileText.Call(ctx, b, wire.FileText{Project: project, Path: path, Line: line})
}

func (b *backend) Symbol(ctx context.Context, project string, q api.SymbolQuery) (api.SymbolResults, error) {
	return wire.MethodSymbol.Call(ctx, b, wire.Symbol{Projects: []string{project}, Query: q})
}

func (b *backend) Outline(ctx context.Context, project, path string) (api.Outline, error) {
	return wire.MethodOutline.Call(ctx, b, wire.Outline{Project: project, Query: api.OutlineQuery{Path: path}})
}

func (b *backend) Config(ctx context.Context, project string) (string, []string, error) {
	c, err := wire.MethodConfigGet.Call(ctx, b, ref(project))
	return c.Text, c.Problems, err
}

func (b *backend) SetConfig(ctx context.Context, project, text string) (string, []string, error) {
	c, err := wire.MethodConfigSet.Call(ctx, b, wire.ConfigText{Project: project, Text: text})
	return c.Text, c.Problems, err
}

func (b *backend) TryConfig(ctx context.Context, project, text string) (api.Preview, []string, error) {
	t, err := wire.MethodConfigTry.Call(ctx, b, wire.ConfigText{Project: project, Text: text})
	return t.Preview, t.Problems, err
}

func (b *backend) Settings(ctx context.Context) (map[string]any, error) {
	return wire.MethodSettingsGet.Call(ctx, b, wire.Empty{})
}

func (b *backend) SetSettings(ctx context.Context, changes map[string]any) (map[string]any, error) {
	return wire.MethodSettingsSet.Call(ctx, b, changes)
}

func (b *backend) Logs(ctx context.Context, project string, lines int, level string) ([]string, error) {
	return wire.MethodLogs.Call(ctx, b, wire.LogQuery{Project: project, Lines: lines, Level: level})
}

func (b *backend) Activity(ctx context.Context) ([]api.Activity, error) {
	return wire.MethodActivity.Call(ctx, b, wire.Empty{})
}

func (b *backend) Today(ctx context.Context) (api.Today, error) {
	return wire.MethodToday.Call(ctx, b, wire.Empty{})
}

func (b *backend) Sessions(ctx context.Context) ([]wire.Session, error) {
	return wire.MethodSessions.Call(ctx, b, wire.Empty{})
}

func (b *backend) Doctor(ctx context.Context) ([]api.Finding, error) {
	return wire.MethodDoctor.Call(ctx, b, ref(""))
}

func (b *backend) Quit(ctx context.Context) error {
	return wire.MethodQuit.Do(ctx, b, wire.Empty{})
}

func (b *backend) Sources(ctx context.Context) (wire.Sources, error) {
	return wire.MethodSources.Call(ctx, b, wire.Empty{})
}

func (b *backend) AddDocuments(ctx context.Context, dir string) error {
	return wire.MethodDocsAdd.Do(ctx, b, wire.DocumentsRef{Dir: dir})
}

func (b *backend) RemoveDocuments(ctx context.Context, dir string) error {
	return wire.MethodDocsRemove.Do(ctx, b, wire.DocumentsRef{Dir: dir})
}

func (b *backend) CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return wire.MethodSiteValidate.Call(ctx, b, at)
}

func (b *backend) AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return wire.MethodSiteAdd.Call(ctx, b, wire.SiteAdd{SiteLocation: at, Prefix: prefix})
}

func (b *backend) RemoveSite(ctx context.Context, site string) error {
	return wire.MethodSiteRemove.Do(ctx, b, wire.SiteRef{Site: site})
}

func (b *backend) RefreshSites(ctx context.Context) error {
	return wire.MethodSiteRefresh.Do(ctx, b, wire.Empty{})
}

func (b *backend) RemoveNamed(ctx context.Context, index string) error {
	return wire.MethodNamedRemove.Do(ctx, b, wire.NamedRef{Index: index})
}

func (b *backend) ImportArchive(
	ctx context.Context, dir string, progress func(done, total int),
) (api.ArchiveReport, error) {
	return wire.MethodArchiveImport.Call(ctx, client.Reporting{Client: b.Client, Progress: func(p client.ToolProgress) {
		progress(int(p.Progress), int(p.Total))
	}}, wire.ArchiveImport{Dir: dir})
}

func (b *backend) RemoveFromArchive(ctx context.Context, folder string) error {
	return wire.MethodArchiveRemove.Do(ctx, b, wire.ArchiveRef{Folder: folder})
}

func (b *backend) AddShared(ctx context.Context, project, location string) error {
	return wire.MethodShareAdd.Do(ctx, b, wire.Share{Project: project, Location: location})
}

func (b *backend) RemoveShared(ctx context.Context, project string) error {
	return wire.MethodShareRemove.Do(ctx, b, ref(project))
}
