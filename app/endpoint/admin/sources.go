package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func listSources(ctx context.Context, c *call, _ wire.Empty) (wire.Sources, error) {
	e := c.engine
	path, served := c.archive()
	archive, err := e.ArchiveInfo(ctx, path)
	archive.Exists = served
	return wire.Sources{Documents: e.DocumentSources(scope.Folders(ctx, c.session, e)), Sites: e.Sites(),
		Named: e.NamedIndexes(), Archive: archive}, err
}

func searchDocuments(ctx context.Context, c *call, q api.DocumentQuery) (wire.SourceResults, error) {
	hits, total, err := c.engine.FindDocuments(ctx, scope.Folders(ctx, c.session, c.engine), q)
	return wire.SourceResults{Documents: hits, TotalDocuments: total}, err
}

func (c *call) archive() (path string, exists bool) { return scope.Archive(c.session, c.engine) }

func importArchive(ctx context.Context, c *call, p wire.ArchiveImport) (api.ArchiveReport, error) {
	path, _ := c.archive()
	progress := session.NewProgress(ctx, c.session)
	return c.engine.ImportArchive(ctx, path, p.Dir, p.Broad, func(files, of int) {
		progress.SetTotal(float64(of))
		progress.Report(float64(files), fmt.Sprintf("Reading documents: %d of %d", files, of))
	})
}

func searchSources(ctx context.Context, c *call, p wire.SourceSearch) (wire.SourceResults, error) {
	if strings.TrimSpace(p.Text) == "" || len(p.Text) > api.MaxQuery {
		return wire.SourceResults{}, api.ErrArgument("text", "some words to search for")
	}
	if p.Limit < 1 || p.Limit > api.MaxTopK {
		return wire.SourceResults{}, api.ErrArgument("limit", fmt.Sprintf("a whole number from 1 to %d", api.MaxTopK))
	}
	e := c.engine
	var out wire.SourceResults
	var work sync.WaitGroup
	var mu sync.Mutex
	ask := func(name string, search func() (take func(), err error)) {
		work.Go(func() {
			take, err := search()
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				take()
			} else if ctx.Err() == nil {
				c.log.Warn("source not searched", "source", name, "err", err)
				out.Notes = append(out.Notes, fmt.Sprintf("Not searched: %s. %s", name,
					api.Known(err, "It did not answer. See the log.").UserMessage))
			}
		})
	}
	on := func(setting string) bool { return scope.Enabled(e.Settings(), setting) }
	if folders := added(e); len(folders) > 0 && on(scope.SettingDocuments) {
		ask("documents", func() (func(), error) {
			hits, total, err := e.FindDocuments(ctx, folders, api.DocumentQuery{Text: p.Text, In: "both", Limit: p.Limit})
			return func() { out.Documents, out.TotalDocuments = hits, total }, err
		})
	}
	if on(scope.SettingSites) {
		for _, site := range e.Sites() {
			ask(site.Name, func() (func(), error) {
				pages, total, err := e.SearchSite(ctx, site.Tool, p.Text, p.Limit)
				return func() {
					if total > 0 {
						out.Sites = append(out.Sites, wire.SitePages{Name: site.Name, Pages: pages, Total: total})
					}
				}, err
			})
		}
	}
	if path, exists := c.archive(); exists && on(scope.SettingArchives) {
		ask("archive", func() (func(), error) {
			a, err := e.SearchArchive(ctx, path, api.ArchiveQuery{Text: p.Text, Fuzzy: true, CitationDepth: 1, Limit: p.Limit})
			return func() { out.Archive, out.TotalArchive = a.Results, a.Metadata.TotalResults }, err
		})
	}
	work.Wait()
	if err := ctx.Err(); err != nil {
		return wire.SourceResults{}, err
	}
	slices.SortFunc(out.Sites, func(a, b wire.SitePages) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(out.Notes)
	return out, nil
}

func added(e Engine) []api.DocumentFolder {
	var folders []api.DocumentFolder
	for i, root := range e.DocumentFolders() {
		folders = append(folders, api.DocumentFolder{Root: root, Prefix: fmt.Sprintf("@%d/", i)})
	}
	return folders
}
