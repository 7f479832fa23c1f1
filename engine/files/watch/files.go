package watch

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Files watches single files in different folders with one source of notifications, because systems limit the number of
// sources. Its methods are safe for concurrent use. Run may be called once.
type Files struct {
	open   func() (source, error) // replaced by tests
	failed chan error             // 1-buffered; error from watching a folder

	mu    sync.Mutex // leaf
	files map[string]*watchedFile
	src   source // nil while notifications are unavailable
}

type watchedFile struct{ changed func() }

// fileQuiet is how long a callback is delayed after a change, because editors write files in several steps.
const fileQuiet = 200 * time.Millisecond

// maxFileEvents limits the queue of events. If it overflows, every file counts as changed.
const maxFileEvents = 1024

func NewFiles() *Files {
	return &Files{open: openNotify, failed: make(chan error, 1), files: map[string]*watchedFile{}}
}

// Add registers changed, which Run calls after the file at path was written, replaced or removed. The file need not
// exist, but its folder must, and no two files may be in the same folder. changed must not block. forget ends the
// registration.
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
		mine := f.files[path] == one // false after a later registration for path
		if mine {
			delete(f.files, path)
		}
		src := f.src
		f.mu.Unlock()
		if mine && src != nil {
			_ = src.Remove(filepath.Dir(path)) // fails if the folder no longer exists
		}
	}
}

// follow watches a file's folder. It ignores a missing folder.
func (f *Files) follow(src source, path string) {
	err := src.Add(filepath.Dir(path))
	if err == nil || isGone(err) {
		return
	}
	select {
	case f.failed <- err:
	default:
	}
}

// Run calls each registered function once at the start, and then whenever its file changes, until ctx ends. If
// notifications fail, Run retries with exponential backoff, and every file counts as changed. It calls report with each
// error, and with nil when notifications work again.
func (f *Files) Run(ctx context.Context, report func(error)) {
	for wait, tries := restartMin, 0; ; tries++ {
		began := time.Now()
		err := f.run(ctx, tries > 0, report)
		if ctx.Err() != nil {
			return
		}
		report(err)
		if time.Since(began) > healthyAfter {
			wait = restartMin
		}
		sleep(ctx, jitter(wait))
		wait = min(2*wait, restartMax)
	}
}

func (f *Files) run(ctx context.Context, again bool, report func(error)) error {
	src, err := f.open()
	if err != nil {
		return err
	}
	q := newQueue(src, maxFileEvents)
	f.mu.Lock()
	f.src = src
	paths := slices.Collect(maps.Keys(f.files))
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.src = nil
		f.mu.Unlock()
		_ = q.close() // the error was reported before or no longer matters
	}()
	for _, path := range paths {
		f.follow(src, path)
	}
	f.call(func(string) bool { return true }) // covers changes before the watch was set
	if again && len(f.failed) == 0 {
		report(nil)
	}
	for {
		select {
		case <-q.signal:
		case err := <-f.failed:
			return err
		case <-ctx.Done():
			return nil
		}
		sleep(ctx, fileQuiet)
		ops, overflow, err := q.take()
		if err != nil {
			return err
		}
		f.call(func(path string) bool { _, changed := ops[path]; return changed || overflow })
	}
}

func (f *Files) call(changed func(path string) bool) {
	f.mu.Lock()
	var due []func()
	for path, one := range f.files {
		if changed(path) {
			due = append(due, one.changed)
		}
	}
	f.mu.Unlock()
	for _, do := range due {
		do()
	}
}
