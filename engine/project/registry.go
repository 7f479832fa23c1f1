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
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
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

type Embedder interface {
	index.Embedder
	search.Embedder
}

type Static interface {
	store.Static
	Question(text string) api.Vector
}

type Shared = index.Shared

type Options struct {
	Shared
	Data     string
	Log      *slog.Logger
	Level    slog.Level
	Parser   symbol.Parser // parser for queries
	Embedder Embedder      // nil if only text search is available
	Static   Static        // nil if no static vectors are available
	Cache    *cache.Cache
	Paused   func() bool
	Tables   *vector.DB // nil if only text search is available
	Parts    share.ReadPart
	Asked    func()
	// Misconfigured is called when the global configuration becomes invalid, and with nil when it is valid again.
	Misconfigured func(*api.Error)
	Refresh       time.Duration // time between two refreshes of a shared index; the default is refreshEvery
}

type Registry struct {
	opt Options
	log *slog.Logger
	ctx context.Context // ends when the engine closes
	wg  sync.WaitGroup

	configs *watch.Files // watches the config.json of the data folder and of each project

	mu       sync.RWMutex
	projects map[string]*Project      // by ID
	broken   map[string]api.Project   // projects that can't be opened, by ID
	removals map[string]chan struct{} // by ID; closed when the index is removed
	global   []string

	walk      atomic.Pointer[walk]
	creating  *semaphore.Weighted
	documents *documents
}

const (
	Dir     = "indexes" // in the data folder; contains one folder per project
	logsDir = "logs"
	// deleting is the suffix of an index folder that is being deleted. Such a folder is not opened.
	deleting = ".deleting"
)

// folderName matches project IDs: 32 hex digits, or 16 in earlier versions (RFC 3.1).
var folderName = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{16})$`)

const closeTimeout = 30 * time.Second

// NewRegistry returns a registry without projects. After ctx has ended, the caller must call Wait.
func NewRegistry(ctx context.Context, o Options) *Registry {
	o.Refresh = cmp.Or(o.Refresh, refreshEvery)
	return &Registry{
		opt: o, log: o.Log, ctx: ctx, configs: watch.NewFiles(),
		projects: map[string]*Project{}, broken: map[string]api.Project{}, removals: map[string]chan struct{}{},
		creating: semaphore.NewWeighted(1), documents: &documents{parser: o.Parser, reader: chunk.NewTrees(nil)},
	}
}

// OpenAll opens the projects in the data folder. A project that can't be opened is listed with its problem.
func (r *Registry) OpenAll(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(r.opt.Data, Dir))
	if err != nil {
		return fmt.Errorf("read folder of projects: %w", err)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4) // four at a time are enough for a laptop's SSD
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

func (r *Registry) openExisting(ctx context.Context, id string) error {
	dir := filepath.Join(r.opt.Data, Dir, id)
	var rec record
	err := files.ReadJSON(filepath.Join(dir, projectFile), &rec)
	if err != nil || !belongs(rec.Root, id) {
		known, merr := recordOfMetadata(dir)
		if errors.Is(err, fs.ErrNotExist) && errors.Is(merr, fs.ErrNotExist) {
			return nil // the app stopped while it created the project
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

// belongs reports whether id is the project ID of root. IDs of earlier versions are not checked.
func belongs(root, id string) bool {
	return root != "" && (id == scan.ProjectID(root) || len(id) < len(scan.ProjectID(root)))
}

func restoreRecord(dir string, rec record) error {
	path := filepath.Join(dir, projectFile)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		if err := errors.Join(os.RemoveAll(path+".bak"), files.Rename(path, path+".bak")); err != nil {
			return err
		}
	}
	return files.WriteJSON(path, rec)
}

func (r *Registry) Wait() {
	r.wg.Wait()
	for _, p := range r.List() {
		_ = p.logs.Close()
	}
}

// Wake starts the computation of missing vectors in all projects.
func (r *Registry) Wake() {
	for _, p := range r.List() {
		p.actor.Wake()
	}
}
