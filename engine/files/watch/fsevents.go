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

// streamFlags says what an event of FSEvents is about: all that its path has been through within the latency, in no
// order, and sometimes what it had been through before that (FSEvents.h, FSEventStreamEventFlags).
type streamFlags uint32

const (
	streamMustScan     streamFlags = 0x1 // anything may have changed at and below the path
	streamUserDropped  streamFlags = 0x2
	streamKernelDrop   streamFlags = 0x4
	streamIDsWrapped   streamFlags = 0x8  // event ids begin anew; none is kept here
	streamHistoryDone  streamFlags = 0x10 // no event but a mark; no history is asked for here
	streamRootChanged  streamFlags = 0x20 // the watched folder, or one above it, was moved or removed
	streamMount        streamFlags = 0x40
	streamUnmount      streamFlags = 0x80
	streamCreated      streamFlags = 0x100
	streamRemoved      streamFlags = 0x200
	streamInodeMeta    streamFlags = 0x400 // mode, time, flags: a file that iCloud has fetched, too
	streamRenamed      streamFlags = 0x800 // from or to this path
	streamModified     streamFlags = 0x1000
	streamFinderInfo   streamFlags = 0x2000
	streamChangedOwner streamFlags = 0x4000
	streamXattr        streamFlags = 0x8000
	streamCloned       streamFlags = 0x400000
)

// streamEvent is an event of FSEvents. The path is absolute, without symbolic links, spelled as the file system does.
type streamEvent struct {
	path  string
	flags streamFlags
}

// streamSystem is FSEvents, or what stands for it in tests. told must not block; the end of a stream may wait for it.
type streamSystem interface {
	stream(dir string, told func([]streamEvent)) (stop func(), err error)
}

const (
	// maxStreamEvents bounds what waits to be decoded; what is over is answered by a rescan.
	maxStreamEvents = 100_000
	// dataVolume is where macOS has mounted the volume of everything that can be written. Links of the system's own kind
	// (firmlinks), which no program sees, lead from / to it.
	dataVolume = "/System/Volumes/Data"
)

// errNoStream is FSEvents' refusal; folders are polled then.
var errNoStream = errors.New("macOS gives no file events")

// streams watches whole trees by FSEvents, a stream for each: no file is kept open. What comes of folders that nobody
// asked for is left to the caller.
//
// A goroutine for each tree decodes, another passes on what single folders tell. mu is held over no I/O but the start
// of a stream.
type streams struct {
	system   streamSystem
	openFlat func() (source, error)
	outlet
	work sync.WaitGroup

	mu    sync.Mutex
	trees map[string]*stream // by the folder as it was added
	flat  source             // nil until AddFolder needs it
	ended bool
}

// stream is a tree that is watched.
type stream struct {
	dir  string        // as it was added
	real string        // as events have it
	quit chan struct{} // closed by Remove
	stop func()        // the goroutine's, once that runs
	wake chan struct{} // 1-buffered: there is something to take

	mu      sync.Mutex // a leaf
	waiting []streamEvent
	lost    bool
}

// openStreams opens notifications of whole trees. openFlat opens those of single folders: see AddFolder.
func openStreams(system streamSystem, openFlat func() (source, error)) *streams {
	return &streams{
		system: system, openFlat: openFlat, outlet: newOutlet(), trees: map[string]*stream{},
	}
}

// Recursive tells the tree of folders that events come from folders which were not added.
func (s *streams) Recursive() bool { return true }

// Add watches a folder and everything below it, unless a folder above is watched.
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

// covered reports whether a tree with the folder in it is watched. The caller holds mu.
func (s *streams) covered(dir string) bool {
	for {
		if s.trees[dir] != nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// AddFolder watches a folder alone. It is for those outside the root: a stream of a home folder would tell of
// everything that any program does there.
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

// pass passes on what single folders tell, until their source is closed.
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

// Remove ends the watch of a tree; a folder below its top has none of its own.
func (s *streams) Remove(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.trees[dir]; t != nil {
		delete(s.trees, dir)
		close(t.quit)
	}
	return nil
}

// Close ends all watches, and the channels when they have ended.
func (s *streams) Close() error {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return nil
	}
	s.ended = true
	close(s.done)
	flat := s.flat
	s.mu.Unlock()
	var err error
	if flat != nil {
		err = flat.Close()
	}
	s.work.Wait()
	close(s.events)
	close(s.errors)
	return err
}

// start starts a tree's stream.
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

// put keeps events until they are taken. The system calls it and must not wait.
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

// read passes a tree's changes on until it is removed or the source closed.
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
			// The old stream may follow the folder to where it is now, or nothing at all. What happened in between is in no
			// stream, so the rescan comes after the start of the new one.
			t.stop()
			t.stop = func() {}
			if err := s.start(t); err != nil {
				s.forget(t) // a caller that finds the folder after all adds it again
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

// decode says what events mean: what may have changed, whether all has to be looked through, and whether the tree
// itself has gone or was moved.
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
			// Above the folder, which then says that anything below may have changed; or spelled as nobody knows.
			scan = true
		case rel == "." && op.Has(wholeFolder):
			scan = true
		case op != 0:
			events = append(events, fsnotify.Event{Name: filepath.Join(t.dir, rel), Op: op})
		}
	}
	return events, scan, moved
}

// wholeFolder has a folder and everything below it looked at, whatever it has been through.
const wholeFolder = fsnotify.Create | fsnotify.Remove

// op is what fsnotify would have told of a path. Nothing follows from it about what is there now.
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

// rel is a path of an event below the tree's folder, "." for the folder itself. The folder may have been added under
// another name than events have: with symbolic links, in another case, composed instead of decomposed, on the volume
// itself. What is below stays as it is spelled.
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

// below is a path's rest below a folder, whose case and normalisation don't count.
func below(top, path string) (rel string, ok bool) {
	if top == path || top == "" {
		return ".", top == path
	}
	sep := string(filepath.Separator)
	if rel, ok = strings.CutPrefix(path, strings.TrimSuffix(top, sep)+sep); ok {
		return rel, true
	}
	at, depth := 0, strings.Count(top, sep)
	for range depth { // the path's beginning of as many names
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

// sameName reports whether a file system that ignores case and normalisation takes one for the other.
func sameName(a, b string) bool {
	return a == b || strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}
