package watch

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"
)

// Files watches single files in different folders, such as configurations. All share one source of notifications,
// because systems limit their number. Its methods are safe for concurrent use; Run may be called once.
type Files struct {
	log  *slog.Logger
	open func() (source, error) // tests put a fake here

	mu    sync.Mutex // leaf
	files map[string]*watchedFile
	src   source // nil before Run and after it
}

type watchedFile struct{ changed func() }

// fileQuiet is the delay between an event and the callback: editors write in several steps.
const fileQuiet = 200 * time.Millisecond

// maxFileEvents bounds the queue of events; beyond it every file counts as changed.
const maxFileEvents = 1024

// NewFiles returns an empty Files. log may be nil.
func NewFiles(log *slog.Logger) *Files {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Files{log: log, open: openNotify, files: map[string]*watchedFile{}}
}

// Add registers changed, which Run calls after the file at path was written, replaced or removed. The file need not
// exist, its folder must; no two files may be in one folder. changed must not block. forget unregisters it.
func (f *Files) Add(path string, changed func()) (forget func()) {
	path = filepath.Clean(path)
	one := &watchedFile{changed}
	f.mu.Lock()
	f.files[path] = one
	src := f.src
	f.mu.Unlock()
	if src != nil {
		f.follow(src, path)
	}
	return func() {
		f.mu.Lock()
		mine := f.files[path] == one // not one added since
		if mine {
			delete(f.files, path)
		}
		src := f.src
		f.mu.Unlock()
		if mine && src != nil {
			_ = src.Remove(filepath.Dir(path)) // the folder may be gone, and its watch with it
		}
	}
}

func (f *Files) follow(src source, path string) {
	if err := src.Add(filepath.Dir(path)); err != nil {
		f.log.Warn("file not watched", "file", filepath.Base(path), "err", err)
	}
}

// Run calls the registered functions until ctx ends, then returns nil. It fails only if the system gives no
// notifications.
func (f *Files) Run(ctx context.Context) error {
	src, err := f.open()
	if err != nil {
		return err
	}
	q := newQueue(src, maxFileEvents)
	f.mu.Lock()
	f.src = src
	paths := make([]string, 0, len(f.files))
	for path := range f.files {
		paths = append(paths, path)
	}
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.src = nil
		f.mu.Unlock()
		if err := q.close(); err != nil {
			f.log.Debug("file notifications not closed", "err", err)
		}
	}()
	for _, path := range paths {
		f.follow(src, path)
	}
	for {
		select {
		case <-q.signal:
		case <-ctx.Done():
			return nil
		}
		sleep(ctx, fileQuiet)
		ops, overflow, err := q.take()
		if err != nil {
			return err
		}
		f.mu.Lock()
		var due []func()
		for path, one := range f.files {
			if _, ok := ops[path]; ok || overflow {
				due = append(due, one.changed)
			}
		}
		f.mu.Unlock()
		for _, changed := range due {
			changed()
		}
	}
}
