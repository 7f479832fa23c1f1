package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/archive"
	"searchmcp/engine/docs"
	"searchmcp/engine/named"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
	"searchmcp/engine/site"
	"searchmcp/engine/store/files"
)

// Settings of the sources. Each of the first four switches a group of tools.
const (
	settingDocuments = "documents"
	settingSites     = "sites"
	settingNamed     = "namedIndexes"
	settingArchives  = "archives"
	settingNamedMB   = "namedIndexMB"
	settingFolders   = "documentFolders" // absolute paths, one a line
)

func sourceSettings() []files.Setting {
	return []files.Setting{
		{Key: settingDocuments, Default: true, Want: "true or false"},
		{Key: settingSites, Default: true, Want: "true or false"},
		{Key: settingNamed, Default: true, Want: "true or false"},
		{Key: settingArchives, Default: true, Want: "true or false"},
		{Key: settingNamedMB, Default: float64(named.DefaultLimit >> 20), Want: "a whole number of megabytes from 1 to 4096",
			Valid: func(v any) bool { n := v.(float64); return n >= 1 && n <= 4096 && n == float64(int(n)) }},
		{Key: settingFolders, Default: "", Want: "absolute paths of folders, one a line", Valid: func(v any) bool {
			for line := range strings.Lines(v.(string)) {
				if line = strings.TrimSpace(line); line != "" && !filepath.IsAbs(line) {
					return false
				}
			}
			return true
		}},
	}
}

// Times of the sources' goroutine.
const (
	touchedWait = time.Second      // several files are saved at once as a rule
	pollEvery   = 15 * time.Second // folders that no project watches
	pollUsed    = 10 * time.Minute // such a folder is looked at as long after it was asked for
	listAge     = 2 * time.Second  // a list of documents may be that old
	maxFolders  = 16               // document folders kept in memory; the longest unused goes
)

// sources owns what is served beside the projects: documents, sites, named indexes and archives.
type sources struct {
	e        *Engine
	sites    *site.Registry
	named    *named.Registry
	archives archive.Searcher
	touch    chan string // roots of projects in which something changed

	mu      sync.Mutex
	folders map[string]*documents
}

// documents is a document folder in memory.
type documents struct {
	*docs.Folder
	used    time.Time // guarded by sources.mu
	project bool      // its project's watcher tells of changes
}

// openSources reads the list of sites. What cannot be read is a problem to show, not a reason not to start.
func openSources(e *Engine) *sources {
	s := &sources{e: e, named: named.New(int64(e.settings.number(settingNamedMB)) << 20), touch: make(chan string, 64), folders: map[string]*documents{}}
	var err error
	s.sites, err = site.Open(site.Options{
		Dir: e.opt.Data, Write: files.WriteFile, Log: e.log, Reserved: reservedTool,
		Changed: func() { e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceSites}) },
	})
	if err != nil {
		e.log.Error("list of sites not read", "err", err)
		e.addProblem(api.New(api.Internal, "The list of sites can't be read; it was set aside as sites.json.bad.", err.Error(), err))
	}
	return s
}

// reservedTool reports the names of our own tools, which no site can have.
func reservedTool(name string) bool {
	switch name {
	case "search_code", "search_docs", "search_by_path", "search_documents", "search_index", "search_add_document", "search_create_index":
		return true
	}
	return false
}

// run keeps sites and documents up to date until ctx ends.
func (s *sources) run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { s.sites.Run(ctx) })
	wg.Go(func() { s.forward(ctx) })
	wg.Go(func() { s.follow(ctx) })
	wg.Wait()
}

// forward picks the changes of projects out of the hub's events.
func (s *sources) forward(ctx context.Context) {
	for ev := range s.e.hub.Subscribe(ctx) {
		if ev.Kind != api.EventProject && ev.Kind != api.EventDocs || ev.Project == nil {
			continue
		}
		for _, r := range ev.Project.Roots {
			select {
			case s.touch <- r.Path:
			case <-ctx.Done():
				return
			}
		}
	}
}

// follow scans what was touched after a moment, and unwatched folders now and then.
func (s *sources) follow(ctx context.Context) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	soon := time.NewTimer(0)
	defer soon.Stop()
	pending := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case root := <-s.touch:
			if s.known(root) != nil && !pending[root] {
				pending[root] = true
				soon.Reset(touchedWait)
			}
		case <-soon.C:
			for root := range pending {
				delete(pending, root)
				s.rescan(ctx, root)
			}
		case <-poll.C:
			for _, root := range s.unwatched() {
				s.rescan(ctx, root)
			}
		}
	}
}

func (s *sources) known(root string) *documents {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folders[root]
}

func (s *sources) unwatched() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for root, f := range s.folders {
		if !f.project && time.Since(f.used) < pollUsed {
			out = append(out, root)
		}
	}
	return out
}

func (s *sources) rescan(ctx context.Context, root string) {
	f := s.known(root)
	if f == nil {
		return
	}
	changed, err := f.Scan(ctx)
	if err != nil && ctx.Err() == nil {
		s.e.log.Warn("documents not scanned", "folder", root, "err", err)
	}
	if changed {
		s.e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceDocuments})
	}
}

// folder returns the documents of a root, opened anew when its rules have changed, under the rules of its project, under the defaults if it has none.
func (s *sources) folder(root string) (*documents, error) {
	var config api.Config
	owned := false
	if p, ok := s.e.Lookup(root); ok {
		config = s.e.Config(p.Root())
		owned = slices.ContainsFunc(p.Roots, func(r api.Root) bool { return r.Path == root })
	} else {
		config = s.e.defaults()
	}
	rules := policy.RulesOf(config)
	s.mu.Lock()
	f := s.folders[root]
	if f != nil {
		f.used = time.Now()
	}
	s.mu.Unlock()
	if f != nil && f.project == owned && reflect.DeepEqual(f.Rules(), rules) {
		return f, nil
	}
	p, err := policy.New(root, rules)
	if err != nil {
		return nil, err
	}
	f = &documents{Folder: docs.Open(p), used: time.Now(), project: owned}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.folders) >= maxFolders {
		oldest := ""
		for r, f := range s.folders {
			if oldest == "" || f.used.Before(s.folders[oldest].used) {
				oldest = r
			}
		}
		delete(s.folders, oldest)
	}
	s.folders[root] = f
	return f, nil
}

// forget drops document folders whose rules may have changed.
func (s *sources) forget() {
	s.mu.Lock()
	clear(s.folders)
	s.mu.Unlock()
}

// current returns a folder whose list is at most age old.
func (s *sources) current(ctx context.Context, root string, age time.Duration) (*documents, error) {
	f, err := s.folder(root)
	if err != nil {
		return nil, err
	}
	if f.Fresh(age) {
		return f, nil
	}
	changed, err := f.Scan(ctx)
	if changed {
		s.e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceDocuments})
	}
	if err != nil && !errors.Is(err, policy.ErrRootGone) { // without its root what was there is still listed; reading says what is wrong
		return nil, err
	}
	return f, nil
}

// DocumentFolders are the folders that a person added in the app; those that are gone or too broad are left out.
func (e *Engine) DocumentFolders() []string {
	text, _ := e.settings.all()[settingFolders].(string)
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if root, err := scan.CanonicalRoot(line); err == nil && !policy.Broad(root) {
			out = append(out, root)
		}
	}
	return out
}

// HasDocuments reports whether one of the folders has a document. It reads no more than names, and has the documents
// read in the background: who asks this will want them.
func (e *Engine) HasDocuments(ctx context.Context, folders []api.DocumentFolder) bool {
	found := false
	for _, at := range folders {
		f, err := e.sources.folder(at.Root)
		if err != nil || !f.Any(ctx) {
			continue
		}
		found = true
		if !f.Fresh(searchAge) {
			select {
			case e.sources.touch <- at.Root:
			default: // many changes are waiting; the search scans by itself then
			}
		}
	}
	return found
}

// Documents lists the documents of the folders by name.
func (e *Engine) Documents(ctx context.Context, folders []api.DocumentFolder) ([]api.Document, error) {
	var out []api.Document
	for _, at := range folders {
		f, err := e.sources.current(ctx, at.Root, listAge)
		if err != nil {
			return nil, err
		}
		for _, d := range f.List() {
			out = append(out, api.Document{
				URI: docs.URI(at.Prefix, d.Path), Name: at.Prefix + d.Path, Title: d.Title, Description: d.Description,
				Tags: d.Tags, MIMEType: d.MIMEType,
			})
		}
	}
	slices.SortFunc(out, func(a, b api.Document) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// ReadDocument reads a document of the folders by its decoded path, prefix included.
func (e *Engine) ReadDocument(ctx context.Context, folders []api.DocumentFolder, name string) (api.DocumentText, error) {
	at, key, ok := folderOf(folders, name)
	if !ok {
		return api.DocumentText{}, api.ErrFileNotFound(name)
	}
	f, err := e.sources.current(ctx, at.Root, listAge)
	if err != nil {
		return api.DocumentText{}, err
	}
	key = f.Find(key)
	text, mime, err := f.Read(key)
	if err != nil {
		return api.DocumentText{}, err
	}
	return api.DocumentText{URI: docs.URI(at.Prefix, key), MIMEType: mime, Text: text}, nil
}

// folderOf finds the folder that a name is in: the one whose prefix it has, else the one without.
func folderOf(folders []api.DocumentFolder, name string) (api.DocumentFolder, string, bool) {
	for _, at := range folders {
		if at.Prefix != "" && len(name) > len(at.Prefix) && strings.EqualFold(name[:len(at.Prefix)], at.Prefix) {
			return at, name[len(at.Prefix):], true
		}
	}
	for _, at := range folders {
		if at.Prefix == "" {
			return at, name, true
		}
	}
	return api.DocumentFolder{}, "", false
}

// searchAge is how old the list may be that a search uses: changes come by themselves, so this is for lost ones.
const searchAge = 5 * time.Minute

// SearchDocuments answers search_documents: the text that the specification prints, and the number of results in it.
func (e *Engine) SearchDocuments(ctx context.Context, folders []api.DocumentFolder, q api.DocumentQuery) (string, int, error) {
	var lists [][]docs.Match
	total := 0
	for _, at := range folders {
		f, err := e.sources.current(ctx, at.Root, searchAge)
		if err != nil {
			return "", 0, err
		}
		found, n, err := f.Search(ctx, docs.Query{Text: q.Text, In: docs.In(q.In), Limit: q.Limit, FileTypes: q.FileTypes})
		if err != nil {
			return "", 0, err
		}
		for i := range found {
			found[i].Prefix = at.Prefix
		}
		lists, total = append(lists, found), total+n
	}
	found := docs.Merge(q.Limit, lists...)
	return docs.Format(found, total), len(found), nil
}

// Sites lists the sites by tool name.
func (e *Engine) Sites() []api.Site { return e.sources.sites.List() }

// AddSite fetches a site's index and serves it. A person has asked for it.
func (e *Engine) AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return e.sources.sites.Add(ctx, at, prefix)
}

// RemoveSite takes a site out by its tool, prefix, address or name.
func (e *Engine) RemoveSite(ref string) (api.Site, error) { return e.sources.sites.Remove(ref) }

// RefreshSites asks every site for a newer index now.
func (e *Engine) RefreshSites(ctx context.Context) []api.Site {
	e.sources.sites.Refresh(ctx)
	return e.sources.sites.List()
}

// SearchSite searches the site of a tool.
func (e *Engine) SearchSite(ctx context.Context, tool, query string, limit int) ([]api.SitePage, int, error) {
	return e.sources.sites.Search(ctx, tool, query, limit)
}

// NamedSearch answers search_index. Errors that the tool gives word for word are api.SourceError.
func (e *Engine) NamedSearch(name, query string, k int) (api.NamedAnswer, error) {
	a, err := e.sources.named.Search(name, query, k)
	if err != nil {
		return api.NamedAnswer{}, sourceError(err)
	}
	out := api.NamedAnswer{Results: make([]api.NamedResult, 0, len(a.Results)), Total: a.Total}
	for _, r := range a.Results {
		out.Results = append(out.Results, api.NamedResult(r))
	}
	if !a.Empty {
		parsed := api.NamedQuery(a.Parsed)
		out.Parsed = &parsed
	}
	return out, nil
}

// NamedAdd answers search_add_document.
func (e *Engine) NamedAdd(name, id, content string, metadata map[string]any) (replaced bool, tokens int, err error) {
	replaced, tokens, err = e.sources.named.Add(name, id, content, metadata)
	return replaced, tokens, sourceError(err)
}

// NamedCreate answers search_create_index.
func (e *Engine) NamedCreate(x api.NamedIndex) error {
	return sourceError(e.sources.named.Create(x.Name, x.Backend, named.Tokenizer{Lowercase: x.Lowercase, MinLength: x.MinLength}))
}

func sourceError(err error) error {
	var known named.Error
	if errors.As(err, &known) {
		return api.SourceError(known)
	}
	return err
}

// Archive finds the archive that a session means (PRODUCT.md, conflict table): SEARCH_DB_PATH, else data/search.db below
// the working directory if it exists, else the data folder's. exists is false if there is nothing to serve.
func (e *Engine) Archive(searchDBPath, dir string) (path string, exists bool) {
	if searchDBPath != "" {
		return searchDBPath, true // a wrong path is to be told, not hidden
	}
	if dir != "" {
		local := filepath.Join(dir, "data", "search.db")
		if info, err := os.Lstat(local); err == nil && info.Mode().IsRegular() {
			return local, true
		}
	}
	own := filepath.Join(e.opt.Data, "archive", "search.db")
	_, err := os.Stat(own)
	return own, !errors.Is(err, fs.ErrNotExist)
}

// SearchArchive answers searchLocalArchives. Nothing is written.
func (e *Engine) SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error) {
	return e.sources.archives.Search(ctx, path, q)
}

// ImportArchive takes a folder into an archive.
func (e *Engine) ImportArchive(ctx context.Context, path, dir string) (api.ArchiveReport, error) {
	root, err := e.Canonical(dir)
	if err != nil {
		return api.ArchiveReport{}, err
	}
	r, err := archive.Import(ctx, path, root, nil)
	if err != nil {
		if ctx.Err() != nil || api.CodeOf(err) != "" {
			return r, err
		}
		return r, api.New(api.Internal, fmt.Sprintf("The folder can't be imported: %v.", err), err.Error(), err)
	}
	e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceArchives})
	return r, nil
}
