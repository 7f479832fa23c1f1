package main

import (
	"context"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui"
)

// backend is ui's view of the app over one connection: most of it is the client's.
type backend struct{ *client.Client }

var _ ui.Backend = (*backend)(nil)

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
	_, err := b.Client.CallAgreed(ctx, tool, map[string]any{"project": root}, nil)
	return err
}

func (b *backend) Quit(ctx context.Context) error { return b.Client.StopApp(ctx) }
func (b *backend) AddRoot(ctx context.Context, project, dir string) error {
	_, err := b.Client.AddRoot(ctx, wire.RootChange{Project: project, Dir: dir})
	return err
}

func (b *backend) RemoveRoot(ctx context.Context, project, dir string) error {
	_, err := b.Client.RemoveRoot(ctx, wire.RootChange{Project: project, Dir: dir})
	return err
}

func (b *backend) Locate(ctx context.Context, project, dir string) error {
	_, err := b.Client.Locate(ctx, wire.RootChange{Project: project, Dir: dir})
	return err
}

func (b *backend) Search(ctx context.Context, projects []string, q api.Query) (api.Results, error) {
	return b.Client.Search(ctx, wire.Search{Projects: projects, Query: q})
}

func (b *backend) FileText(ctx context.Context, project, path string, line int) (api.FileText, error) {
	return b.Client.FileText(ctx, wire.FileText{Project: project, Path: path, Line: line})
}

func (b *backend) Symbol(ctx context.Context, project string, q api.SymbolQuery) (api.SymbolResults, error) {
	return b.Client.Symbol(ctx, wire.Symbol{Projects: []string{project}, Query: q})
}

func (b *backend) Outline(ctx context.Context, project, path string) (api.Outline, error) {
	return b.Client.Outline(ctx, wire.Outline{Project: project, Query: api.OutlineQuery{Path: path}})
}

func (b *backend) Files(ctx context.Context, projects []string, q api.FileQuery) (api.FileResults, error) {
	return b.Client.Files(ctx, wire.Files{Projects: projects, Query: q})
}

func (b *backend) Config(ctx context.Context, project string) (string, []string, error) {
	c, err := b.Client.Config(ctx, project)
	return c.Text, c.Problems, err
}

func (b *backend) SetConfig(ctx context.Context, project, text string) (string, []string, error) {
	c, err := b.Client.SetConfig(ctx, wire.ConfigText{Project: project, Text: text})
	return c.Text, c.Problems, err
}

func (b *backend) TryConfig(ctx context.Context, project, text string) (api.Preview, []string, error) {
	t, err := b.Client.TryConfig(ctx, wire.ConfigText{Project: project, Text: text})
	return t.Preview, t.Problems, err
}

func (b *backend) AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return b.Client.AddSite(ctx, wire.SiteAdd{SiteLocation: at, Prefix: prefix})
}

func (b *backend) RemoveSite(ctx context.Context, site string) error {
	_, err := b.Client.RemoveSite(ctx, site)
	return err
}

func (b *backend) AddShared(ctx context.Context, project, location string) error {
	_, err := b.Client.AddShared(ctx, wire.Share{Project: project, Location: location})
	return err
}

func (b *backend) RemoveShared(ctx context.Context, project string) error {
	_, err := b.Client.RemoveShared(ctx, project)
	return err
}

func (b *backend) RefreshSites(ctx context.Context) error {
	_, err := b.Client.RefreshSites(ctx)
	return err
}

func (b *backend) ImportArchive(
	ctx context.Context, dir string, progress func(done, total int),
) (api.ArchiveReport, error) {
	return b.Client.ImportArchive(ctx, wire.ArchiveImport{Dir: dir},
		func(p client.ToolProgress) { progress(int(p.Progress), int(p.Total)) })
}

func (b *backend) RemoveFromArchive(ctx context.Context, folder string) error {
	_, err := b.Client.RemoveFromArchive(ctx, folder)
	return err
}

func (b *backend) Logs(ctx context.Context, project string, lines int, level string) ([]string, error) {
	return b.Client.Logs(ctx, wire.LogQuery{Project: project, Lines: lines, Level: level})
}

func (b *backend) Doctor(ctx context.Context) ([]api.Finding, error) { return b.Client.Doctor(ctx, "") }
