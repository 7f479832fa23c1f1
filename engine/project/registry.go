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

// Embedder computes the vectors of chunks and queries.
type Embedder interface {
	index.Embedder
	search.Embedder
}

// Static computes static vectors (engine/index/embed/static).
type Static interface {
	store.Static
	Question(text string) api.Vector
}

// Options is shared by all projects of a data folder. Fields are required unless stated otherwise.
type Options struct {
	Data     string // data folder
	Log      *slog.Logger
	Level    slog.Level // of the projects' logs
	Hub      *jobs.Hub
	Heavy    *semaphore.Weighted // one heavy text phase at a time
	Chunker  *chunk.Chunker
	Parser   symbol.Parser // for queries
	Embedder Embedder      // nil: text only
	// Static computes static vectors of chunks and queries; may be nil. Light reports whether the user wants only these.
	Static Static
	Light  func() bool
	Cache  *cache.Cache
	// Paused reports whether the user has paused all projects.
	Paused func() bool
	// Threads returns the user's limit on texts read or embedded concurrently, 0 for none.
	Threads func() int
	// Wait returns the reason why vectors have to wait, as a sentence, or "".
	Wait   func() string
	Tables *vector.DB // nil: text only
	// Parts reads parts of shared indexes.
	Parts share.ReadPart
	// NoModel returns the reason why the model is unavailable, or nil. It must not block. If the field is nil, the
	// model is always available.
	NoModel func() *api.Error
	// Asked is called for every search. It must not block.
	Asked func()
	// Unnoticed is called with an error when watching configurations fails, and with nil when it works again.
	Unnoticed func(*api.Error)
	// Free returns the free space at a folder; nil means disk.FreeBytes.
	Free func(dir string) (int64, error)
	// Idle and Retry are passed to index.Options. Refresh is the refresh interval of shared indexes. 0 means the
	// default.
	Idle, Retry, Refresh time.Duration
}

// Registry manages the projects of a data folder. All methods are safe for concurrent use.
type Registry struct {
	opt Options
	log *slog.Logger
	ctx context.Context // done when the engine closes
	wg  sync.WaitGroup

	configs *watch.Files // config.json of the data folder and of each project

	mu       sync.RWMutex
	projects map[string]*Project      // by folder name
	broken   map[string]api.Project   // projects that could not be opened, by folder name
	removals map[string]chan struct{} // closed when a project's folder is removed, by folder name
	global   []string                 // problems of the shared configuration

	creating  *semaphore.Weighted // of weight 1
	documents *documents          // shared by all projects
}

// Folders inside the data folder and inside a project's folder (RFC 3.1), and our additions.
const (
	Dir     = "indexes" // of the data folder, with one folder per project
	logsDir = "logs"    // of a project
	// deleting is appended to the name of a project's folder before it is removed, so that the remains of an
	// interrupted removal don't look like an index.
	deleting = ".deleting"
)

// folderName matches a SHA-256 prefix: 32 hex digits, or 16 in indexes of earlier versions (RFC 3.1).
var folderName = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{16})$`)

// closeTimeout limits the time to close a project before its deletion.
const closeTimeout = 30 * time.Second

// NewRegistry returns an empty registry. Its goroutines end when ctx is done, after which the caller must call Wait.
func NewRegistry(ctx context.Context, o Options) *Registry {
	o.Refresh = cmp.Or(o.Refresh, refreshEvery)
	return &Registry{
		opt: o, log: o.Log, ctx: ctx, configs: watch.NewFiles(),
		projects: map[string]*Project{}, broken: map[string]api.Project{}, removals: map[string]chan struct{}{},
		creating: semaphore.NewWeighted(1), documents: &documents{parser: o.Parser, reader: chunk.NewTrees(nil)},
	}
}

// OpenAll opens the projects under indexes/, a few at a time. A project that can't be opened is listed with its
// problem. An error means that the folder could not be listed.
func (r *Registry) OpenAll(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(r.opt.Data, Dir))
	if err != nil {
		return fmt.Errorf("read folder of projects: %w", err)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4) // opening is disk-bound; four saturate a laptop's SSD
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() {
			continue
		}
		if filepath.Ext(name) == deleting {
			if err := os.RemoveAll(filepath.Join(r.opt.Data, Dir, name)); err != nil {
				r.log.Warn("remains of a deleted index not removed", "folder", name, "err", err)
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

// openExisting registers the project in a folder under indexes/.
func (r *Registry) openExisting(ctx context.Context, id string) error {
	dir := filepath.Join(r.opt.Data, Dir, id)
	var rec record
	err := files.ReadJSON(filepath.Join(dir, projectFile), &rec)
	if err != nil || !belongs(rec.Root, id) {
		// The record is missing (earlier version) or damaged; use the metadata.
		known, merr := recordOfMetadata(dir)
		if errors.Is(err, fs.ErrNotExist) && errors.Is(merr, fs.ErrNotExist) {
			return nil // an interrupted creation
		}
		if merr == nil && !belongs(known.Root, id) {
			merr = errForeign
		}
		if merr == nil {
			merr = restoreRecord(dir, known)
		}
		if merr != nil {
			err = errors.Join(err, merr)
			r.markBroken(id, rec, api.New(api.IndexCorrupt, "The contents of this index folder don't belong to this project. "+
				"Please delete the index and create it again.", err.Error(), err))
			return fmt.Errorf("read project record: %w", err)
		}
		rec = known
	}
	return r.openOrRepair(ctx, id, rec, nil)
}

var errForeign = errors.New("index belongs to another folder")

// belongs reports whether a folder under indexes/ belongs to root. Earlier versions had different rules for its name.
func belongs(root, id string) bool {
	return root != "" && (id == scan.ProjectID(root) || len(id) < len(scan.ProjectID(root)))
}

// restoreRecord replaces the record.
func restoreRecord(dir string, rec record) error {
	path := filepath.Join(dir, projectFile)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		if err := errors.Join(os.RemoveAll(path+".bak"), files.Rename(path, path+".bak")); err != nil {
			return err
		}
	}
	return files.WriteJSON(path, rec)
}

// Wait waits for all goroutines of the registry and closes the projects' logs.
func (r *Registry) Wait() {
	r.wg.Wait()
	for _, p := range r.List() {
		p.closeLog()
	}
}

// Wake makes every project compute missing vectors and publish its state. Call it after a reason for waiting may have
// ended.
func (r *Registry) Wake() {
	for _, p := range r.List() {
		p.actor.Wake()
	}
}
