package watch

import (
	"context"
	"path/filepath"
	"sync"
	"time"
)

// Files watches single files in different folders. It polls a file while its folder can't be watched. Its methods are
// safe for concurrent use. Run may be called once.
type Files struct {
	queue *queue
	retry chan struct{} // 1-buffered; signaled when a folder can't be watched

	mu    sync.Mutex // locked while a folder is added
	files map[string]*watchedFile
	src   source
}

type watchedFile struct {
	notify  func()
	watched bool
}

// fileQuiet is how long a callback is delayed after a change, because editors write files in several steps.
const fileQuiet = 200 * time.Millisecond

// maxFileEvents limits the queue of events. If it overflows, every file is treated as changed.
const maxFileEvents = 1024

func NewFiles() *Files {
	f := &Files{queue: newQueue(maxFileEvents), retry: make(chan struct{}, 1), files: map[string]*watchedFile{}}
	f.src = openNotify(f.queue)
	return f
}

// Add makes Run call notify after the file at path was written, replaced or removed. The file need not exist, but its
// folder must. Two files may not be in the same folder. notify must not block. forget ends the registration.
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
		if f.files[path] == one { // path was not registered again
			delete(f.files, path)
			_ = f.src.Remove(filepath.Dir(path)) // fails if the folder no longer exists
		}
	}
}

func (f *Files) watch(path string, one *watchedFile) {
	if one.watched = f.src.Add(filepath.Dir(path)) == nil; !one.watched {
		wake(f.retry)
	}
}

// Run calls each registered function once at the start, and then whenever its file may have changed, until ctx ends.
func (f *Files) Run(ctx context.Context) {
	f.call(func(string, *watchedFile) bool { return true }) // covers changes before the watch was set
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
			_ = f.src.Close() // no event is read afterwards
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
