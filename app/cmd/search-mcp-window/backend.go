package main

import (
	"context"
	"fmt"
	"time"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui"
)

// backend is ui's view of the app over one connection.
type backend struct {
	c *client.Client
}

var _ ui.Backend = (*backend)(nil)

func (b *backend) Status(ctx context.Context) (ui.Status, error) {
	s, err := b.c.Status(ctx)
	return ui.Status{
		Version: s.Version, Data: s.Data, Started: s.Started, Paused: s.Paused, Model: s.Model,
		Projects: s.Projects, Problems: s.Problems, Open: s.Open,
	}, err
}

func (b *backend) Preview(ctx context.Context, dir string) (api.Preview, error) {
	return b.c.Preview(ctx, dir)
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
	_, err := b.c.CallAgreed(ctx, tool, map[string]any{"project": root}, nil)
	return err
}

func (b *backend) Pause(ctx context.Context, p string) error    { return b.c.Pause(ctx, p) }
func (b *backend) Resume(ctx context.Context, p string) error   { return b.c.Resume(ctx, p) }
func (b *backend) Cancel(ctx context.Context, job string) error { return b.c.Cancel(ctx, job) }
func (b *backend) Revoke(ctx context.Context, p string) error   { return b.c.Revoke(ctx, p) }
func (b *backend) Quit(ctx context.Context) error               { return b.c.StopApp(ctx) }
func (b *backend) Answer(ctx context.Context, id string, a api.Answer) error {
	return b.c.Answer(ctx, id, a)
}

func (b *backend) AddRoot(ctx context.Context, project, dir string) error {
	_, err := b.c.AddRoot(ctx, wire.RootChange{Project: project, Dir: dir})
	return err
}

func (b *backend) RemoveRoot(ctx context.Context, project, dir string) error {
	_, err := b.c.RemoveRoot(ctx, wire.RootChange{Project: project, Dir: dir})
	return err
}

func (b *backend) Locate(ctx context.Context, project, dir string) error {
	_, err := b.c.Locate(ctx, wire.RootChange{Project: project, Dir: dir})
	return err
}

func (b *backend) Search(ctx context.Context, projects []string, q api.Query) (api.Results, error) {
	return b.c.Search(ctx, wire.Search{Projects: projects, Query: q})
}

func (b *backend) SearchSources(ctx context.Context, s wire.SourceSearch) (wire.SourceResults, error) {
	return b.c.SearchSources(ctx, s)
}

func (b *backend) FileText(ctx context.Context, project, path string, line int) (api.FileText, error) {
	return b.c.FileText(ctx, wire.FileText{Project: project, Path: path, Line: line})
}

func (b *backend) Symbol(ctx context.Context, project string, q api.SymbolQuery) (api.SymbolResults, error) {
	return b.c.Symbol(ctx, wire.Symbol{Projects: []string{project}, Query: q})
}

func (b *backend) Outline(ctx context.Context, project, path string) (api.Outline, error) {
	return b.c.Outline(ctx, wire.Outline{Project: project, Query: api.OutlineQuery{Path: path}})
}

func (b *backend) Files(ctx context.Context, projects []string, q api.FileQuery) (api.FileResults, error) {
	args := map[string]any{"pattern": q.Pattern, "project": projects}
	if q.Limit > 0 {
		args["limit"] = q.Limit
	}
	r, err := b.c.CallTool(ctx, "search_by_path", args, nil)
	if err != nil {
		return api.FileResults{}, err
	}
	var found struct {
		Matches      []string
		TotalMatches int
		Truncated    bool
		IndexedAt    string
		Notes        []string
	}
	if err := r.Decode(&found); err != nil {
		return api.FileResults{}, fmt.Errorf("search_by_path: decode result: %w", err)
	}
	at, _ := time.Parse(time.RFC3339, found.IndexedAt) // "" before the first commit
	return api.FileResults{
		Matches: found.Matches, Total: found.TotalMatches, Truncated: found.Truncated, IndexedAt: at, Notes: found.Notes,
	}, nil
}

func (b *backend) Config(ctx context.Context, project string) (string, []string, error) {
	c, err := b.c.Config(ctx, project)
	return c.Text, c.Problems, err
}

func (b *backend) SetConfig(ctx context.Context, project, text string) (string, []string, error) {
	c, err := b.c.SetConfig(ctx, wire.ConfigText{Project: project, Text: text})
	return c.Text, c.Problems, err
}

func (b *backend) TryConfig(ctx context.Context, project, text string) (api.Preview, []string, error) {
	t, err := b.c.TryConfig(ctx, wire.ConfigText{Project: project, Text: text})
	return t.Preview, t.Problems, err
}

func (b *backend) Sources(ctx context.Context) (ui.Sources, error) {
	s, err := b.c.Sources(ctx)
	return ui.Sources(s), err
}

func (b *backend) AddDocuments(ctx context.Context, dir string) error {
	return b.c.AddDocuments(ctx, dir)
}
func (b *backend) RemoveDocuments(ctx context.Context, dir string) error {
	return b.c.RemoveDocuments(ctx, dir)
}
func (b *backend) RemoveNamed(ctx context.Context, index string) error {
	return b.c.RemoveNamed(ctx, index)
}

func (b *backend) CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return b.c.CheckSite(ctx, at)
}

func (b *backend) AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return b.c.AddSite(ctx, wire.SiteAdd{SiteLocation: at, Prefix: prefix})
}

func (b *backend) RemoveSite(ctx context.Context, site string) error {
	_, err := b.c.RemoveSite(ctx, site)
	return err
}

func (b *backend) AddShared(ctx context.Context, project, location string) error {
	_, err := b.c.AddShared(ctx, wire.Share{Project: project, Location: location})
	return err
}

func (b *backend) RemoveShared(ctx context.Context, project string) error {
	_, err := b.c.RemoveShared(ctx, project)
	return err
}

func (b *backend) RefreshSites(ctx context.Context) error {
	_, err := b.c.RefreshSites(ctx)
	return err
}

func (b *backend) ImportArchive(
	ctx context.Context, dir string, progress func(done, total int),
) (api.ArchiveReport, error) {
	return b.c.ImportArchive(ctx, wire.ArchiveImport{Dir: dir},
		func(p client.ToolProgress) { progress(int(p.Progress), int(p.Total)) })
}

func (b *backend) RemoveFromArchive(ctx context.Context, folder string) error {
	_, err := b.c.RemoveFromArchive(ctx, folder)
	return err
}

func (b *backend) Settings(ctx context.Context) (map[string]any, error) { return b.c.Settings(ctx) }
func (b *backend) SetSettings(ctx context.Context, changes map[string]any) (map[string]any, error) {
	return b.c.SetSettings(ctx, changes)
}

func (b *backend) Logs(ctx context.Context, project string, lines int, level string) ([]string, error) {
	return b.c.Logs(ctx, wire.LogQuery{Project: project, Lines: lines, Level: level})
}

func (b *backend) Activity(ctx context.Context) ([]api.Activity, error) { return b.c.Activity(ctx) }
func (b *backend) Doctor(ctx context.Context) ([]api.Finding, error)    { return b.c.Doctor(ctx, "") }

func (b *backend) Today(ctx context.Context) (api.Today, error) { return b.c.Today(ctx) }

func (b *backend) Sessions(ctx context.Context) ([]ui.Session, error) {
	all, err := b.c.Sessions(ctx)
	list := make([]ui.Session, 0, len(all))
	for _, s := range all {
		list = append(list, ui.Session{
			Client: s.Client, Editor: s.Role != wire.RoleWindow && s.Role != wire.RoleTerminal, Project: s.Project,
			Since: s.Since, Calls: s.Calls, Last: s.Last,
		})
	}
	return list, err
}
