package watch

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/text/unicode/norm"
)

// streamFlags are the flags of an event of FSEvents. An event combines all changes of a path within the stream's
// latency, and sometimes earlier changes (FSEvents.h, FSEventStreamEventFlags).
type streamFlags uint32

const (
	streamMustScan     streamFlags = 0x1 // anything at or below the path may have changed
	streamUserDropped  streamFlags = 0x2
	streamKernelDrop   streamFlags = 0x4
	streamIDsWrapped   streamFlags = 0x8  // event IDs wrapped around, which doesn't matter
	streamHistoryDone  streamFlags = 0x10 // end of the history, which is never requested
	streamRootChanged  streamFlags = 0x20 // the watched folder or a parent was moved or removed
	streamMount        streamFlags = 0x40
	streamUnmount      streamFlags = 0x80
	streamCreated      streamFlags = 0x100
	streamRemoved      streamFlags = 0x200
	streamInodeMeta    streamFlags = 0x400 // mode, time or flags changed, or the file was downloaded from iCloud
	streamRenamed      streamFlags = 0x800 // renamed from or to this path
	streamModified     streamFlags = 0x1000
	streamFinderInfo   streamFlags = 0x2000
	streamChangedOwner streamFlags = 0x4000
	streamXattr        streamFlags = 0x8000
	streamCloned       streamFlags = 0x400000
)

// streamEvent is an event of FSEvents. Its path is absolute, without symbolic links, in the file system's spelling.
type streamEvent struct {
	path  string
	flags streamFlags
}

// streamSystem is FSEvents or a fake. report must not block.
type streamSystem interface {
	stream(dir string, report func([]streamEvent)) (stop func(), err error)
}

const (
	// maxStreamEvents limits the events waiting to be decoded.
	maxStreamEvents = 100_000
	// dataVolume is the mount point of macOS's writable volume. Invisible firmlinks lead from / to it.
	dataVolume = "/System/Volumes/Data"
)

var errNoStream = errors.New("macOS gives no file events")

// streams watches whole trees through FSEvents, with a stream and a goroutine per tree. Another goroutine forwards
// events of single folders. Events may concern folders that were not requested. mu is not held during I/O, except when
// a stream starts.
type streams struct {
	system           streamSystem
	openFlat         func() (source, error)
	treeSet[*stream]        // by the folder passed to Add
	flat             source // nil until AddFolder needs it, guarded by mu
}

type stream struct {
	dir  string        // path as passed to Add
	real string        // path as in events
	quit chan struct{} // closed by Remove
	stop func()        // only the goroutine calls it while it runs
	wake chan struct{} // 1-buffered; take has something to return

	mu      sync.Mutex // leaf
	waiting []streamEvent
	lost    bool
}

// openStreams returns a source for whole trees. openFlat returns a source for AddFolder.
func openStreams(system streamSystem, openFlat func() (source, error)) *streams {
	return &streams{system: system, openFlat: openFlat, treeSet: newTreeSet[*stream]()}
}

func (s *streams) Recursive() bool { return true }

// Add watches a folder and everything below it, unless a folder above it is watched.
func (s *streams) Add(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return errDead
	}
	if s.covered(dir) {
		return nil
	}
	t := &stream{dir: dir, quit: make(chan struct{}), wake: make(chan struct{}, 1)}
	if err := s.start(t); err != nil {
		return err
	}
	s.trees[dir] = t
	s.work.Go(func() { s.read(t) })
	return nil
}

// AddFolder watches a folder outside the root, such as the home folder, without its subfolders.
func (s *streams) AddFolder(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return errDead
	}
	if s.covered(dir) {
		return nil
	}
	if s.flat == nil {
		flat, err := s.openFlat()
		if err != nil {
			return err
		}
		s.flat = flat
		s.work.Go(func() { s.pass(flat) })
	}
	return s.flat.Add(dir)
}

func (s *streams) pass(flat source) {
	events, errs := flat.Events(), flat.Errors()
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
			} else {
				s.send(e)
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
			} else {
				s.fail(err)
			}
		}
	}
}

// Remove stops watching the tree with dir as its top, if there is one.
func (s *streams) Remove(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.trees[dir]; t != nil {
		delete(s.trees, dir)
		close(t.quit)
	}
	return nil
}

func (s *streams) Close() error {
	return s.end(func() error {
		if s.flat == nil {
			return nil
		}
		return s.flat.Close()
	})
}

func (s *streams) start(t *stream) error {
	real, err := filepath.EvalSymlinks(t.dir)
	if err != nil {
		return fmt.Errorf("watch %s: %w", t.dir, err)
	}
	t.real = real
	if t.stop, err = s.system.stream(real, t.put); err != nil {
		return fmt.Errorf("%w: %w", errNoStream, err)
	}
	return nil
}

// put stores events until take returns them. It must not block.
func (t *stream) put(list []streamEvent) {
	t.mu.Lock()
	if len(t.waiting)+len(list) > maxStreamEvents {
		t.waiting, t.lost = nil, true
	} else {
		t.waiting = append(t.waiting, list...)
	}
	t.mu.Unlock()
	wake(t.wake)
}

func (t *stream) take() (list []streamEvent, lost bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list, lost = t.waiting, t.lost
	t.waiting, t.lost = nil, false
	return list, lost
}

func (s *streams) read(t *stream) {
	defer func() { t.stop() }()
	for {
		select {
		case <-t.wake:
		case <-t.quit:
			return
		case <-s.done:
			return
		}
		list, lost := t.take()
		events, scan, moved := t.decode(list)
		if moved {
			// No stream contains changes before the new stream starts, so the rescan comes after the start.
			t.stop()
			t.stop = func() {}
			if err := s.start(t); err != nil {
				s.forget(t) // if the caller finds the folder, it adds the tree again
				if isGone(err) {
					err = fsnotify.ErrEventOverflow
				}
				s.fail(err)
				return
			}
		}
		if scan || lost {
			s.fail(fsnotify.ErrEventOverflow)
		}
		for _, e := range events {
			s.send(e)
		}
	}
}

func (s *streams) forget(t *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trees[t.dir] == t {
		delete(s.trees, t.dir)
	}
}

// decode converts events. scan requests a rescan. moved reports that the tree itself disappeared or was moved.
func (t *stream) decode(list []streamEvent) (events []fsnotify.Event, scan, moved bool) {
	for _, e := range list {
		if e.flags&(streamHistoryDone|streamIDsWrapped) != 0 && e.flags.op() == 0 {
			continue
		}
		if e.flags&streamRootChanged != 0 {
			scan, moved = true, true
			continue
		}
		rel, ok := t.rel(e.path)
		op := e.flags.op()
		switch {
		case !ok:
			scan = true
		case rel == "." && op.Has(wholeFolder):
			scan = true
		case op != 0:
			events = append(events, fsnotify.Event{Name: filepath.Join(t.dir, rel), Op: op})
		}
	}
	return events, scan, moved
}

// wholeFolder makes the caller examine a folder and everything below it.
const wholeFolder = fsnotify.Create | fsnotify.Remove

func (f streamFlags) op() fsnotify.Op {
	var op fsnotify.Op
	for _, one := range []struct {
		flags streamFlags
		op    fsnotify.Op
	}{
		{streamMustScan | streamUserDropped | streamKernelDrop | streamMount | streamUnmount, wholeFolder},
		{streamCreated, fsnotify.Create},
		{streamRemoved, fsnotify.Remove},
		{streamRenamed, fsnotify.Rename},
		{streamModified | streamCloned, fsnotify.Write},
		{streamInodeMeta, fsnotify.Write | fsnotify.Chmod},
		{streamFinderInfo | streamChangedOwner | streamXattr, fsnotify.Chmod},
	} {
		if f&one.flags != 0 {
			op |= one.op
		}
	}
	return op
}

// rel returns the path of an event relative to the tree's folder, whose spelling may differ: with symbolic links, in
// another case, decomposed, or on the data volume.
func (t *stream) rel(path string) (string, bool) {
	path = filepath.Clean(path) // folders may end with a slash
	for _, top := range []string{
		t.real, t.dir, filepath.Join(dataVolume, t.real), strings.TrimPrefix(t.real, dataVolume),
	} {
		if rel, ok := below(top, path); ok {
			return rel, true
		}
	}
	return "", false
}

func below(top, path string) (rel string, ok bool) {
	if top == path || top == "" {
		return ".", top == path
	}
	sep := string(filepath.Separator)
	if rel, ok = strings.CutPrefix(path, strings.TrimSuffix(top, sep)+sep); ok {
		return rel, true
	}
	at, depth := 0, strings.Count(top, sep)
	for range depth { // cut as many components as top contains
		next := strings.Index(path[at+1:], sep)
		if next < 0 {
			if strings.Count(path, sep) < depth {
				return "", false
			}
			return ".", sameName(top, path)
		}
		at += 1 + next
	}
	return path[at+1:], sameName(top, path[:at])
}

func sameName(a, b string) bool {
	return a == b || strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}
