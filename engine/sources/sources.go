package sources

import (
	"context"
	"log/slog"
	"sync"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/sources/archive"
	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/named"
	"searchmcp/engine/sources/site"
)

type Projects interface {
	Projects() []api.Project
	Lookup(ref string) (api.Project, bool)
	Config(root string) api.Config
	Search(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	Canonical(dir string) (root string, err error)
}

type (
	sites   = site.Registry
	indexes = named.Registry
)

// toolNames are the names of the app's own tools, which a site's tool must not have.
var toolNames = []string{"search_code", "search_docs", "search_by_path", "search_documents", "search_index",
	"search_add_document", "search_create_index"}

const DefaultNamedBytes = named.DefaultLimit

type Options struct {
	Data       string
	Log        *slog.Logger
	Hub        *jobs.Hub
	Projects   Projects
	Added      func() []string
	SetAdded   func(paths []string) error
	Reader     markup.Reader
	NamedBytes int64
	Problem    func(*api.Error)
}

// Sources manages the sources that are not projects. It is safe for concurrent use.
type Sources struct {
	opt Options
	log *slog.Logger
	*sites
	*indexes
	archives archive.Searcher
	touch    chan string   // roots of document folders to scan again
	opened   chan struct{} // receives a value when folders are added or removed

	archiveLock *semaphore.Weighted // locked during imports and removals, because SQLite has one writer
	addedMu     sync.Mutex          // locked while the list of added folders is changed

	mu      sync.Mutex
	folders map[string]*folder
}

func Open(o Options) *Sources {
	s := &Sources{
		opt: o, log: o.Log, indexes: named.New(o.NamedBytes), touch: make(chan string, 64), opened: make(chan struct{}, 1),
		archiveLock: semaphore.NewWeighted(1), folders: map[string]*folder{},
	}
	var err error
	s.sites, err = site.Open(site.Options{
		Dir: o.Data, Log: o.Log, Reserved: toolNames,
		Changed: func() { s.changed(api.SourceSites) },
	})
	if err != nil {
		o.Log.Error("list of sites not read", "err", err)
		o.Problem(api.New(api.Internal, "The list of sites can't be read; it was renamed to sites.json.bad.",
			err.Error(), err))
	}
	return s
}

func (s *Sources) Run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { s.sites.Run(ctx) })
	wg.Go(func() { s.forwardChanges(ctx) })
	wg.Go(func() { s.rescanLoop(ctx) })
	wg.Go(func() { s.watchFolders(ctx) })
	wg.Wait()
}

func (s *Sources) changed(kind string) {
	s.opt.Hub.Publish(api.Event{Kind: api.EventSources, Message: kind})
}

func (s *Sources) RemoveNamed(name string) error {
	if err := s.indexes.Drop(name); err != nil {
		return api.New(api.InvalidArgument, err.Error()+".", err.Error(), err)
	}
	s.changed(api.SourceNamed)
	return nil
}

func (s *Sources) NamedCreate(x api.NamedIndex) error {
	err := s.indexes.Create(x.Name, x.Backend, named.Tokenizer{Lowercase: x.Lowercase, MinLength: x.MinLength})
	if err == nil {
		s.changed(api.SourceNamed)
	}
	return err
}
