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

// streamFlags are the flags of an FSEvents event (FSEventStreamEventFlags in FSEvents.h).
type streamFlags uint32

const (
	streamMustScan     streamFlags = 0x1 // any file below the path may have changed
	streamUserDropped  streamFlags = 0x2
	streamKernelDrop   streamFlags = 0x4
	streamIDsWrapped   streamFlags = 0x8  // harmless
	streamHistoryDone  streamFlags = 0x10 // end of old events, which are never requested
	streamRootChanged  streamFlags = 0x20 // the watched folder or a parent was moved or removed
	streamMount        streamFlags = 0x40
	streamUnmount      streamFlags = 0x80
	streamCreated      streamFlags = 0x100
	streamRemoved      streamFlags = 0x200
	streamInodeMeta    streamFlags = 0x400 // mode or time changed, or the file was downloaded from iCloud
	streamRenamed      streamFlags = 0x800 // renamed from or to the path
	streamModified     streamFlags = 0x1000
	streamFinderInfo   streamFlags = 0x2000
	streamChangedOwner streamFlags = 0x4000
	streamXattr        streamFlags = 0x8000
	streamCloned       streamFlags = 0x400000
)

// streamEvent is an event of FSEvents. Its path is absolute and contains no symbolic links.
type streamEvent struct {
	path  string
	flags streamFlags
}

// streamSystem is FSEvents, or a fake in tests. report must not block.
type streamSystem interface {
	stream(dir string, report func([]streamEvent)) (stop func(), err error)
}

// dataVolume is the mount point of macOS's writable volume. Folders such as /Users are links to folders there.
const dataVolume = "/System/Volumes/Data"

var errNoStream = errors.New("macOS gives no file events")

type stream struct {
	system streamSystem
	queue  *queue
	dir    string // folder as passed to Add

	mu   sync.Mutex // locked while the system's stream starts or stops
	stop func()
}

func (s *stream) Add(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		return nil
	}
	s.dir = dir
	return s.start()
}

func (s *stream) start() error {
	real, err := filepath.EvalSymlinks(s.dir)
	if err != nil {
		return fmt.Errorf("watch %s: %w", s.dir, err)
	}
	paths := streamPaths{s.dir, real}
	stop, err := s.system.stream(real, func(list []streamEvent) { s.report(paths, list) })
	if err != nil {
		return fmt.Errorf("%w: %w", errNoStream, err)
	}
	s.stop = stop
	return nil
}

func (s *stream) Remove(string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	return nil
}

func (s *stream) Close() error { return s.Remove("") }

func (s *stream) report(paths streamPaths, list []streamEvent) {
	events, scan, moved := paths.decode(list)
	if moved {
		go s.restart() // a callback can't stop its stream
		return
	}
	if scan {
		s.queue.fail(fsnotify.ErrEventOverflow)
	}
	for _, e := range events {
		s.queue.event(e)
	}
}

// restart starts a new stream if the folder still exists, and requests a rescan, because changes may have been missed.
func (s *stream) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		return
	}
	s.stop()
	s.stop = nil
	if err := s.start(); err != nil && !isGone(err) {
		s.queue.fail(err)
	}
	s.queue.fail(fsnotify.ErrEventOverflow)
}

// streamPaths contains the two paths of a watched folder: dir as passed to Add, and real without symbolic links.
type streamPaths struct{ dir, real string }

// decode converts events. scan requests a rescan. moved reports that the watched folder disappeared or was moved.
func (t streamPaths) decode(list []streamEvent) (events []fsnotify.Event, scan, moved bool) {
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

// rel returns the path of an event relative to the watched folder. macOS may report the folder's path in another case.
func (t streamPaths) rel(path string) (string, bool) {
	path = filepath.Clean(path)
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
	for range depth {
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
