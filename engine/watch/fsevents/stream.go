//go:build (darwin || linux) && (amd64 || arm64)

package fsevents

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// The libraries that have the functions. Their files are in the cache of the dynamic linker, not on disk.
const (
	coreFoundation = "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation"
	coreServices   = "/System/Library/Frameworks/CoreServices.framework/CoreServices"
	libSystem      = "/usr/lib/libSystem.B.dylib"
)

// How a stream is made (FSEventStreamCreateFlags).
const (
	noDefer    = 0x2  // the first event after a pause comes at once, those after it within the latency
	watchRoot  = 0x4  // an event too when the folder itself, or one above it, is moved
	fileEvents = 0x10 // an event for a file, not for its folder
	sinceNow   = 1<<64 - 1
)

// ErrRefused is the system's unexplained no.
var ErrRefused = errors.New("the system gives no stream of events")

// Handler is told of events: paths, and the flags of each (FSEventStreamEventFlags). Both are the handler's to keep. It
// runs on a thread of the system's and must not block: Stop may wait for it.
type Handler func(paths []string, flags []uint32)

// Library has the functions of the system.
type Library struct {
	stringCreate func(allocator uintptr, name string) uintptr
	arrayCreate  func(allocator uintptr, values *uintptr, n int, callbacks uintptr) uintptr
	release      func(object uintptr)

	queueCreate  func(label string, attributes uintptr) uintptr
	queueRelease func(queue uintptr)

	create func(allocator, callback uintptr, context *streamContext, paths uintptr, since uint64, latency float64,
		flags uint32) uintptr
	setQueue      func(stream, queue uintptr)
	start         func(stream uintptr) bool
	stop          func(stream uintptr)
	invalidate    func(stream uintptr)
	streamRelease func(stream uintptr)

	arrayCallbacks uintptr // kCFTypeArrayCallBacks
}

// streamContext is FSEventStreamContext. info comes back with every call: a key of handlers, never a pointer of Go's.
type streamContext struct {
	_    uintptr // version
	info uintptr
	_    [3]uintptr // functions: retain, release, copyDescription
}

// Load finds the functions.
func Load() (*Library, error) { return load(coreFoundation, coreServices, libSystem) }

func load(foundation, services, system string) (*Library, error) {
	l := &Library{}
	for _, from := range []struct {
		file      string
		functions map[string]any
	}{
		{foundation, map[string]any{
			"CFStringCreateWithFileSystemRepresentation": &l.stringCreate, "CFArrayCreate": &l.arrayCreate,
			"CFRelease": &l.release,
		}},
		{system, map[string]any{"dispatch_queue_create": &l.queueCreate, "dispatch_release": &l.queueRelease}},
		{services, map[string]any{
			"FSEventStreamCreate": &l.create, "FSEventStreamSetDispatchQueue": &l.setQueue, "FSEventStreamStart": &l.start,
			"FSEventStreamStop": &l.stop, "FSEventStreamInvalidate": &l.invalidate, "FSEventStreamRelease": &l.streamRelease,
		}},
	} {
		lib, err := purego.Dlopen(from.file, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			return nil, fmt.Errorf("load file notifications: %w", err)
		}
		for name, function := range from.functions {
			at, err := purego.Dlsym(lib, name)
			if err != nil {
				return nil, fmt.Errorf("load file notifications: %w", err)
			}
			purego.RegisterFunc(function, at)
		}
		if from.file == foundation {
			if l.arrayCallbacks, err = purego.Dlsym(lib, "kCFTypeArrayCallBacks"); err != nil {
				return nil, fmt.Errorf("load file notifications: %w", err)
			}
		}
	}
	return l, nil
}

// Watch has a handler told of what changes at and below a folder from now on, within the latency. The folder's path has
// no symbolic links; events spell it as the system does. stop ends it: a call that is under way may be heard of yet,
// no later one.
func (l *Library) Watch(dir string, latency time.Duration, h Handler) (stop func(), err error) {
	name := l.stringCreate(0, dir)
	if name == 0 {
		return nil, fmt.Errorf("watch %s: %w", dir, ErrRefused)
	}
	defer l.release(name)
	paths := l.arrayCreate(0, &name, 1, l.arrayCallbacks)
	if paths == 0 {
		return nil, fmt.Errorf("watch %s: %w", dir, ErrRefused)
	}
	defer l.release(paths)

	key := handlers.add(h)
	stream := l.create(0, callback(), &streamContext{info: key}, paths, sinceNow, latency.Seconds(),
		noDefer|watchRoot|fileEvents)
	if stream == 0 {
		handlers.remove(key)
		return nil, fmt.Errorf("watch %s: %w", dir, ErrRefused)
	}
	queue := l.queueCreate("io.searchmcp.fsevents", 0)
	l.setQueue(stream, queue)
	end := func() {
		handlers.remove(key)
		l.invalidate(stream)
		l.streamRelease(stream)
		l.queueRelease(queue)
	}
	if !l.start(stream) {
		end()
		return nil, fmt.Errorf("watch %s: %w", dir, ErrRefused)
	}
	return sync.OnceFunc(func() { l.stop(stream); end() }), nil
}

// callback is told's address for C. There is one for all streams: such an address is never given back.
var callback = sync.OnceValue(func() uintptr { return purego.NewCallback(told) })

// told is an FSEventStreamCallback. Everything that it is handed is the system's, and gone when it returns.
func told(_ uintptr, info, n uintptr, paths **byte, flags *uint32, _ *uint64) {
	h := handlers.find(info)
	if h == nil || n == 0 {
		return
	}
	names := make([]string, n)
	for i, p := range unsafe.Slice(paths, n) {
		names[i] = unix.BytePtrToString(p)
	}
	h(names, append([]uint32(nil), unsafe.Slice(flags, n)...))
}

// table has the handlers of the streams that run.
type table struct {
	mu   sync.Mutex
	last uintptr
	byID map[uintptr]Handler
}

var handlers = &table{byID: map[uintptr]Handler{}}

func (t *table) add(h Handler) uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.byID[t.last] = h
	return t.last
}

func (t *table) remove(key uintptr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byID, key)
}

func (t *table) find(key uintptr) Handler {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[key]
}
