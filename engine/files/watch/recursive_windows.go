package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

// recursive watches each added folder with a handle. If deep is true, the handle also covers all subfolders. Windows
// would refuse to rename a folder if its subfolders had their own handles.
type recursive struct {
	queue *queue
	deep  bool
	work  sync.WaitGroup

	mu    sync.Mutex          // leaf
	trees map[string]*subtree // by folder in lower case; WatchName adds "|" to the folder
	ended bool
}

// subtree is a watched folder. A call of ReadDirectoryChangesW is always pending, so that no change is missed.
type subtree struct {
	dir    string
	key    string
	deep   bool   // includes subfolders
	only   string // the only entry to watch, for WatchName
	handle windows.Handle
	stop   windows.Handle // ends the goroutine
	ready  windows.Handle // signals a completed call
	buf    []byte         // the system writes to buf during a call
	call   *windows.Overlapped
}

// wine is true under Wine, whose ReadDirectoryChangesW reports no changes in subfolders.
var wine = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil

func openTree(q *queue) sources {
	return sources{tree: openRecursive(q, !wine), recursive: !wine, outside: openNotify(q)}
}

// openNotify returns a source for single folders. fsnotify is not used, because version 1.10.1 may close an unrelated
// handle.
func openNotify(q *queue) source { return openRecursive(q, false) }

func openRecursive(q *queue, deep bool) *recursive {
	return &recursive{queue: q, deep: deep, trees: map[string]*subtree{}}
}

func (r *recursive) Add(dir string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := strings.ToLower(dir)
	if r.ended || r.trees[key] != nil {
		return nil
	}
	return r.start(&subtree{dir: dir, key: key, deep: r.deep})
}

// WatchName watches a folder's name through its parent, because a watch of a folder does not report its move.
func (r *recursive) WatchName(dir string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	above := filepath.Dir(dir)
	key := strings.ToLower(above) + "|"
	if r.ended || above == dir || r.trees[key] != nil {
		return nil
	}
	return r.start(&subtree{dir: above, key: key, only: dir})
}

func (r *recursive) start(t *subtree) error {
	if err := t.open(); err != nil {
		return err
	}
	r.trees[t.key] = t
	r.work.Go(func() { r.read(t) })
	return nil
}

func (t *subtree) open() error {
	dir := t.dir
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	const flags = windows.FILE_FLAG_BACKUP_SEMANTICS | windows.FILE_FLAG_OVERLAPPED
	h, err := windows.CreateFile(name, windows.FILE_LIST_DIRECTORY, share, nil, windows.OPEN_EXISTING, flags, 0)
	if err != nil {
		return &os.PathError{Op: "watch", Path: dir, Err: err}
	}
	size := treeBuffer
	if !t.deep {
		size = folderBuffer
	}
	t.handle, t.buf = h, make([]byte, size)
	if t.stop, err = windows.CreateEvent(nil, 1, 0, nil); err == nil {
		t.ready, err = windows.CreateEvent(nil, 1, 0, nil)
	}
	if err == nil {
		err = t.begin()
	}
	if err != nil {
		t.close()
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	return nil
}

func (t *subtree) close() {
	for _, h := range []windows.Handle{t.handle, t.stop, t.ready} {
		if h != 0 {
			_ = windows.CloseHandle(h)
		}
	}
}

func (t *subtree) begin() error {
	t.call = &windows.Overlapped{HEvent: t.ready}
	filter := uint32(changes)
	if t.only != "" {
		filter = windows.FILE_NOTIFY_CHANGE_DIR_NAME
	}
	err := windows.ReadDirectoryChanges(t.handle, &t.buf[0], uint32(len(t.buf)), t.deep, filter, nil, t.call, 0)
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) && len(t.buf) > shareBuffer {
		t.buf = make([]byte, shareBuffer)
		return t.begin()
	}
	return err
}

func (r *recursive) Remove(dir string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.trees[strings.ToLower(dir)]; t != nil {
		delete(r.trees, strings.ToLower(dir))
		return windows.SetEvent(t.stop)
	}
	return nil
}

func (r *recursive) Close() (err error) {
	r.mu.Lock()
	r.ended = true
	for _, t := range r.trees {
		err = errors.Join(err, windows.SetEvent(t.stop))
	}
	r.mu.Unlock()
	r.work.Wait()
	return err
}

const (
	// treeBuffer is the size of the system's buffer in bytes, enough for about 2,000 changes. An overflow causes a
	// rescan.
	treeBuffer   = 256 << 10
	folderBuffer = 32 << 10
	// shareBuffer is the largest allowed buffer for a network folder, in bytes.
	shareBuffer = 64 << 10

	changes = windows.FILE_NOTIFY_CHANGE_FILE_NAME | windows.FILE_NOTIFY_CHANGE_DIR_NAME |
		windows.FILE_NOTIFY_CHANGE_SIZE |
		windows.FILE_NOTIFY_CHANGE_LAST_WRITE | windows.FILE_NOTIFY_CHANGE_ATTRIBUTES
)

func (r *recursive) read(t *subtree) {
	defer func() {
		r.mu.Lock()
		if r.trees[t.key] == t {
			delete(r.trees, t.key)
		}
		t.close() // not earlier, because Remove and Close use t.stop
		r.mu.Unlock()
	}()
	for {
		n, stopped, err := t.wait()
		if stopped {
			return
		}
		var list []fsnotify.Event
		switch {
		case err == nil && n > 0:
			list = t.decode(t.buf[:n])
		case err == nil, errors.Is(err, windows.ERROR_NOTIFY_ENUM_DIR), errors.Is(err, windows.ERROR_OPERATION_ABORTED):
			if err = nil; t.only != "" {
				list = []fsnotify.Event{{Name: t.only, Op: fsnotify.Rename}} // perhaps the folder was moved
			} else {
				r.queue.fail(fsnotify.ErrEventOverflow) // changes may have been lost
			}
		}
		if err == nil {
			err = t.begin()
		}
		for _, e := range list {
			r.queue.event(e)
		}
		switch {
		case err == nil:
		case errors.Is(err, windows.ERROR_ACCESS_DENIED), errors.Is(err, windows.ERROR_FILE_NOT_FOUND),
			errors.Is(err, windows.ERROR_DELETE_PENDING), errors.Is(err, windows.ERROR_INVALID_HANDLE):
			r.queue.event(fsnotify.Event{Name: t.dir, Op: fsnotify.Remove}) // the folder was removed
			return
		case t.only != "": // also checked periodically
			return
		default:
			r.queue.fail(fmt.Errorf("watch %s: %w", t.dir, err))
			return
		}
	}
}

func (t *subtree) wait() (n uint32, stopped bool, err error) {
	event, err := windows.WaitForMultipleObjects([]windows.Handle{t.stop, t.ready}, false, windows.INFINITE)
	if stopped = err != nil || event == windows.WAIT_OBJECT_0; stopped {
		_ = windows.CancelIoEx(t.handle, t.call)
	}
	err = errors.Join(err, windows.GetOverlappedResult(t.handle, t.call, &n, true))
	return n, stopped, err
}

var operations = map[uint32]fsnotify.Op{
	windows.FILE_ACTION_ADDED: fsnotify.Create, windows.FILE_ACTION_REMOVED: fsnotify.Remove,
	windows.FILE_ACTION_MODIFIED: fsnotify.Write, windows.FILE_ACTION_RENAMED_OLD_NAME: fsnotify.Rename,
	windows.FILE_ACTION_RENAMED_NEW_NAME: fsnotify.Create,
}

func (t *subtree) decode(buf []byte) []fsnotify.Event {
	list := decode(t.dir, buf)
	if t.only == "" {
		return list
	}
	list = slices.DeleteFunc(list, func(e fsnotify.Event) bool { return !strings.EqualFold(e.Name, t.only) })
	for i := range list {
		list[i].Name = t.only
	}
	return list
}

func decode(dir string, buf []byte) []fsnotify.Event {
	const head = 12 // bytes before the name in a record
	var list []fsnotify.Event
	for at := 0; at+head <= len(buf); {
		info := (*windows.FileNotifyInformation)(unsafe.Pointer(&buf[at]))
		if at+head+int(info.FileNameLength) > len(buf) {
			break
		}
		name := windows.UTF16ToString(unsafe.Slice(&info.FileName, info.FileNameLength/2))
		if op, known := operations[info.Action]; known {
			list = append(list, fsnotify.Event{Name: withLongName(dir, name), Op: op})
		}
		if info.NextEntryOffset == 0 {
			break
		}
		at += int(info.NextEntryOffset)
	}
	return list
}

// withLongName joins dir and the long name of an entry.
func withLongName(dir, name string) string {
	path := filepath.Join(dir, name)
	if !strings.Contains(name, "~") {
		return path
	}
	if rest, ok := strings.CutPrefix(longName(path), longName(dir)); ok {
		return filepath.Join(dir, rest)
	}
	return path
}

// longName expands a short name, such as PROGRA~1. It fails for removed files.
func longName(path string) string {
	if !strings.Contains(path, "~") {
		return path
	}
	short, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return path
	}
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetLongPathName(short, &buf[0], uint32(len(buf)))
	if err != nil || n == 0 || int(n) > len(buf) {
		return path
	}
	return windows.UTF16ToString(buf[:n])
}
