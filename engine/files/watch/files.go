package watch

import (
	"context"
	"path/filepath"
	"sync"
	"time"
)

// Files watches single files in different folders, or polls them if watching fails. Its methods are safe for concurrent
// use. Run may be called once.
type Files struct {
	queue *queue
	retry chan struct{} // buffered; signaled when watching a folder fails

	mu    sync.Mutex // locked while a folder is added
	files map[string]*watchedFile
	src   source
}

type watchedFile struct {
	notify  func()
	watched bool
}

// fileQuiet is the delay of a callback after a change, because editors write files in several steps.
const fileQuiet = 200 * time.Millisecond

// maxFileEvents limits the queue of events. After an overflow, all files count as changed.
const maxFileEvents = 1024

func NewFiles() *Files {
	f := &Files{queue: newQueue(maxFileEvents), retry: make(chan struct{}, 1), files: map[string]*watchedFile{}}
	f.src = openNotify(f.queue)
	return f
}

// Add makes Run call notify after the file at path was written, replaced or removed. The file need not exist, but its
// folder must. Two files must not be in the same folder. notify must not block. forget ends the calls.
func (f *Files) Add(path string, notify func()) (forget func()) {
	path = filepath.Clean(path)
	one := &watchedFile{notify: notify}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files[path] = one
	f.watch(path, one)
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.files[path] == one {
			delete(f.files, path)
			_ = f.src.Remove(filepath.Dir(path)) // fails if the folder was removed
		}
	}
}

func (f *Files) watch(path string, one *watchedFile) {
	if one.watched = f.src.Add(filepath.Dir(path)) == nil; !one.watched {
		wake(f.retry)
	}
}

// Run calls each function passed to Add once at the start and after each change of its file, until ctx ends.
func (f *Files) Run(ctx context.Context) {
	f.call(func(string, *watchedFile) bool { return true }) // the files may have changed before Run
	var poll <-chan time.Time
	for {
		select {
		case <-f.queue.signal:
			sleep(ctx, fileQuiet)
			ops, overflow, err := f.queue.take()
			f.call(func(path string, one *watchedFile) bool {
				if err != nil {
					one.watched = false
					wake(f.retry)
				}
				_, changed := ops[path]
				return changed || overflow
			})
		case <-f.retry:
			poll = time.After(jitter(pollInterval))
		case <-poll:
			poll = nil
			f.call(func(path string, one *watchedFile) bool {
				if one.watched {
					return false
				}
				f.watch(path, one)
				return true
			})
		case <-ctx.Done():
			f.mu.Lock()
			defer f.mu.Unlock()
			_ = f.src.Close()
			return
		}
	}
}

func (f *Files) call(changed func(path string, one *watchedFile) bool) {
	f.mu.Lock()
	var due []func()
	for path, one := range f.files {
		if changed(path, one) {
			due = append(due, one.notify)
		}
	}
	f.mu.Unlock()
	for _, do := range due {
		do()
	}
}
