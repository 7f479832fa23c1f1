package endpoint

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/api"
)

// Sources is what a Backend has beside its projects: documents, sites, named indexes and archives. A backend without it
// serves the projects' tools only.
type Sources interface {
	// DocumentFolders are the folders that a person added in the app, for every session.
	DocumentFolders() []string
	// DocumentSources describes the given folders and those that were added, served or not.
	DocumentSources(folders []api.DocumentFolder) []api.DocumentSource
	AddDocumentFolder(dir string) error
	RemoveDocumentFolder(dir string) error
	// HasDocuments is quick: it decides whether a session sees search_documents.
	HasDocuments(ctx context.Context, folders []api.DocumentFolder) bool
	// Documents lists by name.
	Documents(ctx context.Context, folders []api.DocumentFolder) ([]api.Document, error)
	// ReadDocument takes the decoded path of a docs:// URI.
	ReadDocument(ctx context.Context, folders []api.DocumentFolder, name string) (api.DocumentText, error)
	// SearchDocuments returns the text of the answer and the number of results in it.
	SearchDocuments(ctx context.Context, folders []api.DocumentFolder, q api.DocumentQuery) (text string, results int, err error)

	Sites() []api.Site
	CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error)
	AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error)
	RemoveSite(ref string) (api.Site, error)
	RefreshSites(ctx context.Context) []api.Site
	SearchSite(ctx context.Context, tool, query string, limit int) (pages []api.SitePage, total int, err error)
	BuildSite(ctx context.Context, b api.SiteBuild) (api.SiteBuilt, error)

	// Errors of the named indexes that the specification words are api.SourceError.
	NamedSearch(index, query string, k int) (api.NamedAnswer, error)
	NamedAdd(index, id, content string, metadata map[string]any) (replaced bool, tokens int, err error)
	NamedCreate(x api.NamedIndex) error
	NamedIndexes() api.NamedIndexes
	RemoveNamed(index string) error

	// Archive finds the archive that a session means; exists is false if there is nothing to serve.
	Archive(searchDBPath, dir string) (path string, exists bool)
	SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error)
	ArchiveInfo(ctx context.Context, path string) (api.ArchiveInfo, error)
	// ImportArchive tells progress how many files are done of how many.
	ImportArchive(ctx context.Context, path, dir string, progress func(files, of int)) (api.ArchiveReport, error)
	RemoveFromArchive(ctx context.Context, path, folder string) (api.ArchiveInfo, error)
}

// The groups of tools that settings switch, by the setting's name.
const (
	groupDocuments = "documents"
	groupSites     = "sites"
	groupNamed     = "namedIndexes"
	groupArchives  = "archives"
)

// sources returns the engine's sources if it is there and has some.
func (s *Server) sources() (Sources, bool) {
	b, ready := s.attached()
	if !ready {
		return nil, false
	}
	src, ok := b.(Sources)
	return src, ok
}

// sources is the same for a call; the engine is there.
func (c *call) sources() (Sources, error) {
	if src, ok := c.backend.(Sources); ok {
		return src, nil
	}
	return nil, api.New(api.Busy, "This is not available in this version of Search MCP.", "the backend has no sources", nil)
}

// enabled reports whether a group of tools is switched on; it is unless the setting says false.
func enabled(b Backend, group string) bool {
	on, set := b.Settings()[group].(bool)
	return !set || on
}

// awaitEngine gives an engine that is starting a moment. Without it the answer is what is known by then.
func (s *Server) awaitEngine(ctx context.Context, atMost time.Duration) {
	if _, err := s.engine(ctx, atMost); err != nil {
		s.log.Debug("answered without the engine", "err", err)
	}
}

// syncSources serves the groups of tools that there is something for, and no others. It is called when the engine is
// attached and when settings or sites change.
func (s *Server) syncSources() {
	src, ok := s.sources()
	if !ok {
		return
	}
	b, _ := s.attached()
	s.syncing.Lock() // before the engine is asked: of two calls side by side, the later one knows at least as much
	defer s.syncing.Unlock()
	wanted := map[string]group{}
	if enabled(b, groupNamed) {
		wanted[groupNamed] = namedGroup()
	}
	if enabled(b, groupDocuments) {
		wanted[groupDocuments] = s.documentsGroup()
	}
	if enabled(b, groupArchives) {
		wanted[groupArchives] = s.archivesGroup()
	}
	if enabled(b, groupSites) {
		for _, site := range src.Sites() {
			wanted[groupSites+"/"+site.Tool] = siteGroup(site)
		}
	}
	for name := range s.served {
		if _, stays := wanted[name]; !stays {
			s.tools.remove(name)
			delete(s.served, name)
		}
	}
	for name, g := range wanted {
		mark := ""
		for _, t := range g.tools {
			mark += t.name + "\n" + t.sentence + "\n" + t.more + "\n"
		}
		if s.served[name] == mark {
			continue
		}
		if taken := s.tools.add(g); len(taken) > 0 {
			s.log.Error("a tool's name is taken", "group", name, "tools", taken)
		}
		s.served[name] = mark
	}
}

// followSources keeps what sessions see in step with the engine, until ctx ends.
func (s *Server) followSources(ctx context.Context) {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return
	}
	b, _ := s.attached()
	if _, ok := b.(Sources); !ok {
		return
	}
	events := b.Subscribe(ctx)
	s.syncSources() // what changed between attaching and subscribing
	indexed := indexedProjects(b)
	for e := range events {
		switch e.Kind {
		case api.EventSettings:
			s.syncSources()
			s.documentsChanged()
		case api.EventSources:
			switch e.Message {
			case api.SourceSites:
				s.syncSources()
			case api.SourceArchives:
				s.toolsChanged()
			case api.SourceDocuments:
				s.documentsChanged()
			}
		case api.EventProject, api.EventRemoved:
			if now := indexedProjects(b); !slices.Equal(now, indexed) {
				indexed = now
				s.documentsChanged()
			}
		}
	}
}

// indexedProjects names the projects that have documents to serve.
func indexedProjects(b Backend) []string {
	var out []string
	for _, p := range b.Projects() {
		if p.Files > 0 {
			out = append(out, p.ID)
		}
	}
	return out
}

// documentsChanged tells every client to list the documents again, and the tools, for search_documents may come or go.
func (s *Server) documentsChanged() {
	s.mcp.SendNotificationToAllClients(string(mcp.MethodNotificationResourcesListChanged), nil)
	s.toolsChanged()
}

// documentFolders are the folders whose documents a session has: --docs, the indexed projects it means, and those that
// were added in the app. Nobody is asked. Paths of all but the first begin with "@name/".
func (s *Server) documentFolders(ctx context.Context, ses *session) []api.DocumentFolder {
	b, ready := s.attached()
	if !ready || !enabled(b, groupDocuments) {
		return nil
	}
	src, ok := b.(Sources)
	if !ok {
		return nil
	}
	var roots []string
	add := func(root string) {
		if !slices.Contains(roots, root) && !b.IsTooBroad(root) {
			roots = append(roots, root)
		}
	}
	if dir := ses.facts().Docs; dir != "" {
		if root, err := b.Canonical(dir); err == nil {
			add(root)
		}
	}
	t := &targets{session: ses, backend: b}
	implied, err := t.implied(ctx, func(context.Context) ([]string, error) {
		dirs, _, _ := ses.knownRoots()
		return dirs, nil
	})
	if err == nil {
		for _, root := range implied {
			if p, found := b.Lookup(root); found && p.Files > 0 {
				for _, r := range p.Roots {
					add(r.Path)
				}
			}
		}
	}
	for _, root := range src.DocumentFolders() {
		add(root)
	}
	return prefixed(roots)
}

// prefixed tells folders apart: the first has no prefix.
func prefixed(roots []string) []api.DocumentFolder {
	folders := make([]api.DocumentFolder, 0, len(roots))
	taken := map[string]bool{}
	for i, root := range roots {
		f := api.DocumentFolder{Root: root}
		if i > 0 {
			name := filepath.Base(root)
			f.Prefix = "@" + name + "/"
			for n := 2; taken[strings.ToLower(f.Prefix)]; n++ {
				f.Prefix = fmt.Sprintf("@%s-%d/", name, n)
			}
			taken[strings.ToLower(f.Prefix)] = true
		}
		folders = append(folders, f)
	}
	return folders
}
