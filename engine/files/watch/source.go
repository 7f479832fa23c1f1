package watch

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// source sends the changes in watched folders to a queue.
type source interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
}

type sources struct {
	tree source
	// recursive is true if tree also watches all subfolders of an added folder.
	recursive bool
	outside   source // for single folders outside the root
	// onShare, if not nil, reports whether a folder also needs polling, because it's on a network share.
	onShare func(dir string) bool
}

var (
	errDead       = errors.New("file notifications ended")
	errSecondPath = errors.New("the folder is watched at another path")
)

// exhausted reports whether err means that the system allows no more watches.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{
		errWSL, errNoStream, syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	}, func(reason error) bool { return errors.Is(err, reason) })
}

// queue collects the events of sources. It stores each event once, so that repeated events take no memory.
type queue struct {
	max    int
	signal chan struct{} // buffered; signaled after each event

	mu       sync.Mutex // leaf
	ops      map[string]fsnotify.Op
	overflow bool
	err      error
}

func newQueue(limit int) *queue {
	return &queue{max: limit, ops: map[string]fsnotify.Op{}, signal: make(chan struct{}, 1)}
}

func (q *queue) event(e fsnotify.Event) {
	q.mu.Lock()
	if _, known := q.ops[e.Name]; !known && len(q.ops) >= q.max {
		q.overflow = true
		clear(q.ops)
	}
	q.ops[e.Name] |= e.Op
	q.mu.Unlock()
	wake(q.signal)
}

func (q *queue) fail(err error) {
	q.mu.Lock()
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		q.overflow = true
	} else if q.err == nil {
		q.err = err
	}
	q.mu.Unlock()
	wake(q.signal)
}

func (q *queue) take() (ops map[string]fsnotify.Op, overflow bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ops, overflow, err = q.ops, q.overflow, q.err
	q.ops, q.overflow, q.err = map[string]fsnotify.Op{}, false, nil
	return ops, overflow, err
}

var errWSL = errors.New("no notifications for folders in WSL")

func inWSL(path string) bool {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(path, "/", `\`), `\\`)
	host, _, _ := strings.Cut(rest, `\`)
	return ok && (strings.EqualFold(host, "wsl$") || strings.EqualFold(host, "wsl.localhost"))
}

// noSource sets no watches. Windows reports no changes of folders in WSL, so they are polled.
type noSource struct{}

func (noSource) Add(string) error    { return errWSL }
func (noSource) Remove(string) error { return nil }
func (noSource) Close() error        { return nil }
