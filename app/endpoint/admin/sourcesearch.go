package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"searchmcp/app/endpoint/scope"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// searchSources queries every source concurrently. A source that fails adds a note and does not affect the other
// sources. It does not search the documents of projects, which belong to search.
func searchSources(ctx context.Context, c *call, e Sources, p wire.SourceSearch) (wire.SourceResults, error) {
	if strings.TrimSpace(p.Text) == "" || len(p.Text) > api.MaxQuery {
		return wire.SourceResults{}, api.ErrArgument("text", "some words to look for")
	}
	if p.Limit < 1 || p.Limit > api.MaxTopK {
		return wire.SourceResults{}, api.ErrArgument("limit", fmt.Sprintf("a whole number from 1 to %d", api.MaxTopK))
	}
	var out wire.SourceResults
	var work sync.WaitGroup
	var mu sync.Mutex // guards out
	ask := func(name string, search func() (take func(), err error)) {
		work.Go(func() {
			take, err := search()
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				take()
			} else if ctx.Err() == nil {
				c.log.Warn("source not searched", "source", name, "err", err)
				out.Notes = append(out.Notes, fmt.Sprintf("Not searched: %s. %s", name, reason(err)))
			}
		})
	}
	on := func(setting string) bool { return scope.On(c.engine.Settings(), setting) }
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
	if path, exists := c.archive(e); exists && on(scope.SettingArchives) {
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

// added returns the added folders of documents, each with a prefix.
func added(e Documents) []api.DocumentFolder {
	var folders []api.DocumentFolder
	for i, root := range e.DocumentFolders() {
		folders = append(folders, api.DocumentFolder{Root: root, Prefix: fmt.Sprintf("@%d/", i)})
	}
	return folders
}

// reason returns the user message of an error.
func reason(err error) string {
	var shown *api.Error
	if errors.As(err, &shown) {
		return shown.UserMessage
	}
	return "It did not answer; see the log."
}
