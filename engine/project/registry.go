package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/index"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/share"
	"searchmcp/engine/store"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/vector"
)

// Embedder makes the vectors of chunks and of queries.
type Embedder interface {
	index.Embedder
	search.Embedder
}

// Static makes static vectors (engine/index/embed/static).
type Static interface {
	store.Static
	Question(text string) api.Vector
}

// Options is what all projects of a data folder share. All fields are required unless they say otherwise.
type Options struct {
	Data     string // the data folder
	Log      *slog.Logger
	Level    slog.Level // of the projects' own logs
	Hub      *jobs.Hub
	Heavy    *semaphore.Weighted // one heavy text phase at a time
	Chunker  *chunk.Chunker
	Parser   symbol.Parser // for questions
	Embedder Embedder      // nil: text only
	// Static makes static vectors, of chunks at once and of questions; nil: there are none. Light reports whether a person
	// wants no others.
	Static Static
	Light  func() bool
	Cache  *cache.Cache
	// Paused reports whether a person has paused everything.
	Paused func() bool
	// Threads is a person's limit on how many texts are read or embedded at once, 0 for none.
	Threads func() int
	// Wait says in a sentence why vectors have to wait now, "" if they don't.
	Wait   func() string
	Tables *vector.DB // nil: text only
	// Parts reads parts of shared indexes.
	Parts share.ReadPart
	// NoModel says why nothing is searched by meaning, nil while it is; nil: it always is. It must not block.
	NoModel func() *api.Error
	// Asked is called with every search. It must not block.
	Asked func()
	// Unnoticed is told why changes of configurations are not noticed, and nil when they are again.
	Unnoticed func(*api.Error)
	// Free says how much may be written below a folder; nil: disk.FreeBytes.
	Free func(dir string) (int64, error)
	// Idle and Retry are index.Options's, Refresh is how often a shared index's storage is asked; 0: the defaults.
	Idle, Retry, Refresh time.Duration
}

// Registry holds the projects of one data folder. All methods are safe for concurrent use.
type Registry struct {
	opt Options
	log *slog.Logger
	ctx context.Context // ends with the engine
	wg  sync.WaitGroup

	configs *watch.Files // config.json of the data folder and of every project

	mu       sync.RWMutex
	projects map[string]*Project      // by folder name
	broken   map[string]api.Project   // those that could not be opened, by folder name
	removals map[string]chan struct{} // closed when a project's folder has gone, by folder name
	global   []string                 // what is wrong with the configuration of all projects

	creating  chan struct{} // holds one: who makes a new project
	documents *documents    // of all projects
}

// Folders of the data folder and of a project (RFC 3.1), and ours beside them.
const (
	Dir     = "indexes" // of the data folder; holds a folder per project
	logsDir = "logs"    // of a project
	// deleting is appended to the name of a project's folder before it is removed, so that a crash half way leaves
	// something that no start mistakes for an index.
	deleting = ".deleting"
)

// folderName is a SHA-256 prefix: 32 hex digits, 16 in indexes of earlier versions (RFC 3.1).
var folderName = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{16})$`)

// closeTimeout is how long a project may take to fold and close when it is deleted.
const closeTimeout = 30 * time.Second

// NewRegistry returns a registry without projects. Everything that it starts ends with ctx; call Wait then.
func NewRegistry(ctx context.Context, o Options) *Registry {
	o.Refresh = cmp.Or(o.Refresh, refreshEvery)
	return &Registry{
		opt: o, log: o.Log, ctx: ctx, configs: watch.NewFiles(),
		projects: map[string]*Project{}, broken: map[string]api.Project{}, removals: map[string]chan struct{}{},
		creating: make(chan struct{}, 1), documents: &documents{parser: o.Parser, reader: chunk.NewTrees(nil)},
	}
}

// OpenAll opens what stands under indexes/, a few at a time. A project that cannot be opened is kept in the list with
// its problem; it never keeps the others from starting. The error is about the list as a whole.
func (r *Registry) OpenAll(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(r.opt.Data, Dir))
	if err != nil {
		return fmt.Errorf("read folder of projects: %w", err)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4) // opening is disk-bound; four keep a laptop's SSD busy
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() {
			continue
		}
		if filepath.Ext(name) == deleting {
			if err := os.RemoveAll(filepath.Join(r.opt.Data, Dir, name)); err != nil {
				r.log.Warn("rest of a deleted index not removed", "folder", name, "err", err)
			}
			continue
		}
		if !folderName.MatchString(name) {
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if err := r.openExisting(ctx, name); err != nil {
				r.log.Error("project not opened", "folder", name, "err", err)
			}
		})
	}
	wg.Wait()
	return nil
}

// openExisting registers the project that stands in a folder under indexes/.
func (r *Registry) openExisting(ctx context.Context, id string) error {
	dir := filepath.Join(r.opt.Data, Dir, id)
	var rec record
	err := files.ReadJSON(filepath.Join(dir, projectFile), &rec)
	if err != nil || !belongs(rec.Root, id) {
		// One of an earlier version, or damaged: what else is known of the project stands in the metadata.
		known, merr := recordOfMetadata(dir)
		if errors.Is(err, fs.ErrNotExist) && errors.Is(merr, fs.ErrNotExist) {
			return nil // an empty folder: a creation that did not come as far as its record
		}
		if merr == nil && !belongs(known.Root, id) {
			merr = errForeign
		}
		if merr == nil {
			merr = restoreRecord(dir, known)
		}
		if merr != nil {
			err = errors.Join(err, merr)
			r.markBroken(id, rec, api.New(api.IndexCorrupt, "What stands in the folder of this index is not this project's. "+
				"Please delete the index and make it again.", err.Error(), err))
			return fmt.Errorf("read project record: %w", err)
		}
		rec = known
	}
	return r.openOrRepair(ctx, id, rec, nil)
}

var errForeign = errors.New("the index is that of another folder")

// belongs reports whether a folder of indexes/ is the one of a root. Earlier versions had other rules for its name.
func belongs(root, id string) bool {
	return root != "" && (id == scan.ProjectID(root) || len(id) < len(scan.ProjectID(root)))
}

// restoreRecord writes a record anew, whatever is in its place.
func restoreRecord(dir string, rec record) error {
	path := filepath.Join(dir, projectFile)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		if err := errors.Join(os.RemoveAll(path+".bak"), files.Rename(path, path+".bak")); err != nil {
			return err
		}
	}
	return files.WriteJSON(path, rec)
}

// Wait returns when everything that the registry started has ended, and closes the projects' logs.
func (r *Registry) Wait() {
	r.wg.Wait()
	for _, p := range r.List() {
		p.closeLog()
	}
}

// Wake has every project make the vectors that it lacks, and say anew how it is: what they waited for may be there.
func (r *Registry) Wake() {
	for _, p := range r.List() {
		p.actor.Wake()
	}
}
