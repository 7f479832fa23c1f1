package engine

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/archive"
	"searchmcp/engine/docs"
	"searchmcp/engine/named"
	"searchmcp/engine/policy"
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
		{Key: settingDocuments, Default: true, Want: "true or false",
			Help: "Whether documents are served: `docs://` resources and `search_documents`."},
		{Key: settingSites, Default: true, Want: "true or false",
			Help: "Whether the tools of sites are served."},
		{Key: settingNamed, Default: true, Want: "true or false",
			Help: "Whether the tools of named indexes are served."},
		{Key: settingArchives, Default: true, Want: "true or false",
			Help: "Whether `searchLocalArchives` is served."},
		{Key: settingNamedMB, Default: float64(named.DefaultLimit >> 20), Want: "a whole number of megabytes from 1 to 4096",
			Help:  "How much memory all named indexes together may use.",
			Valid: func(v any) bool { n := v.(float64); return n >= 1 && n <= 4096 && n == float64(int(n)) }},
		{Key: settingFolders, Default: "", Want: "absolute paths of folders, one a line",
			Help: "Folders whose documents are served in every session.", Valid: func(v any) bool {
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
	unloadAfter = 30 * time.Minute // words that nobody searched for as long are read again when they are
	listAge     = 2 * time.Second  // a list of documents may be that old
	maxFolders  = 16               // document folders kept in memory; the longest unused goes
)

// sources owns what is served beside the projects: documents, sites, named indexes and archives.
type sources struct {
	e        *Engine
	sites    *site.Registry
	named    *named.Registry
	archives archive.Searcher
	touch    chan string // roots in which something changed, or that are to be read

	archiving chan struct{} // holds one: who writes an archive
	choosing  sync.Mutex    // held over a change of the list of added folders

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
	s := &sources{e: e, named: named.New(int64(e.settings.number(settingNamedMB)) << 20), touch: make(chan string, 64),
		archiving: make(chan struct{}, 1), folders: map[string]*documents{}}
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
			s.unload(time.Now().Add(-unloadAfter))
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

// unload gives the memory of words back that were not searched since.
func (s *sources) unload(since time.Time) {
	s.mu.Lock()
	folders := slices.Collect(maps.Values(s.folders))
	s.mu.Unlock()
	for _, f := range folders {
		f.Unload(since)
	}
	s.archives.Unload(since)
}

// readSoon has a folder read in the background.
func (s *sources) readSoon(root string) {
	select {
	case s.touch <- root:
	default: // many changes are waiting; who needs the folder reads it then
	}
}

func (s *sources) rescan(ctx context.Context, root string) {
	f := s.known(root)
	if f == nil {
		return
	}
	first := !f.Scanned()
	changed, err := f.Scan(ctx)
	if err != nil && ctx.Err() == nil {
		s.e.log.Warn("documents not scanned", "folder", root, "err", err)
	}
	if n := f.Skipped(); n > 0 && (first || changed) {
		s.e.log.Warn("too many documents in a folder", "folder", root, "left_out", n)
	}
	switch {
	case changed:
		s.e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceDocuments})
	case first && f.Scanned():
		s.e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceRead})
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

// Sites lists the sites by tool name.
func (e *Engine) Sites() []api.Site { return e.sources.sites.List() }

// CheckSite says what is wrong with an index, or what it would be served as. Nothing is kept.
func (e *Engine) CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return e.sources.sites.Check(ctx, at)
}

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

// NamedIndexes lists the named indexes.
func (e *Engine) NamedIndexes() api.NamedIndexes { return e.sources.named.List() }

// RemoveNamed removes a named index with its documents; the default index is emptied.
func (e *Engine) RemoveNamed(name string) error {
	if err := e.sources.named.Drop(name); err != nil {
		return api.New(api.InvalidArgument, err.Error()+".", err.Error(), err)
	}
	e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceNamed})
	return nil
}

// NamedCreate answers search_create_index.
func (e *Engine) NamedCreate(x api.NamedIndex) error {
	if err := e.sources.named.Create(x.Name, x.Backend, named.Tokenizer{Lowercase: x.Lowercase, MinLength: x.MinLength}); err != nil {
		return sourceError(err)
	}
	e.hub.Publish(api.Event{Kind: api.EventSources, Message: api.SourceNamed})
	return nil
}

// sentence makes an error's text one for a person.
func sentence(err error) string {
	text := strings.TrimSuffix(err.Error(), ".")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

func sourceError(err error) error {
	var known named.Error
	if errors.As(err, &known) {
		return api.SourceError(known)
	}
	return err
}
