package watch

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// source is a notification library. Add may block until the caller reads Events and Errors.
type source interface {
	Add(dir string) error
	Remove(dir string) error
	Events() <-chan fsnotify.Event // closed when the source has ended
	Errors() <-chan error          // closed when the source has ended
	Close() error
}

type outlet struct {
	events chan fsnotify.Event
	errors chan error
	done   chan struct{} // closed when no more events are sent
}

func newOutlet() outlet {
	return outlet{make(chan fsnotify.Event), make(chan error), make(chan struct{})}
}

func (o outlet) Events() <-chan fsnotify.Event { return o.events }
func (o outlet) Errors() <-chan error          { return o.errors }

func (o outlet) send(e fsnotify.Event) bool {
	select {
	case o.events <- e:
		return true
	case <-o.done:
		return false
	}
}

func (o outlet) fail(err error) {
	select {
	case o.errors <- err:
	case <-o.done:
	}
}

type treeSet[T any] struct {
	outlet
	work sync.WaitGroup // goroutines of the watches

	mu    sync.Mutex
	trees map[string]T // keyed by folder, in a form that the source defines
	ended bool
}

func newTreeSet[T any]() treeSet[T] { return treeSet[T]{outlet: newOutlet(), trees: map[string]T{}} }

// covered reports whether a watched tree contains dir. The caller must have locked mu.
func (s *treeSet[T]) covered(dir string) bool {
	for {
		if _, ok := s.trees[dir]; ok {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// end calls stop with mu locked, waits for the goroutines, and closes the channels. Later calls do nothing.
func (s *treeSet[T]) end(stop func() error) error {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return nil
	}
	s.ended = true
	close(s.done)
	err := stop()
	s.mu.Unlock()
	s.work.Wait()
	close(s.events)
	close(s.errors)
	return err
}

var errDead = errors.New("file notifications ended")

// exhausted reports whether err means that the system grants no more watches (inotify: ENOSPC, EMFILE; descriptors:
// EMFILE, ENFILE; memory: ENOMEM) or has no notifications.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{
		errWSL, errNoStream, syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	}, func(reason error) bool { return errors.Is(err, reason) })
}

// queue drains a source into a set, so that the source never blocks and repeated events take no memory.
type queue struct {
	src    source
	max    int
	signal chan struct{} // 1-buffered; take has something to return
	done   chan struct{} // closed when draining has ended

	mu       sync.Mutex
	ops      map[string]fsnotify.Op
	overflow bool
	err      error // error of the source
}

func newQueue(src source, most int) *queue {
	q := &queue{
		src: src, max: most, ops: map[string]fsnotify.Op{},
		signal: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go q.drain()
	return q
}

func (q *queue) drain() {
	defer close(q.done)
	events, errs := q.src.Events(), q.src.Errors()
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				q.put(func() { q.fail(errDead) })
				continue
			}
			q.put(func() { q.event(e) })
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			q.put(func() { q.fail(err) })
		}
	}
}

func (q *queue) put(record func()) {
	q.mu.Lock()
	record()
	q.mu.Unlock()
	wake(q.signal)
}

func (q *queue) event(e fsnotify.Event) {
	if _, known := q.ops[e.Name]; !known && len(q.ops) >= q.max {
		q.overflow = true
		clear(q.ops)
	}
	q.ops[e.Name] |= e.Op
}

func (q *queue) fail(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		q.overflow = true
	} else if q.err == nil {
		q.err = err
	}
}

func (q *queue) take() (ops map[string]fsnotify.Op, overflow bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ops, overflow, err = q.ops, q.overflow, q.err
	q.ops, q.overflow = map[string]fsnotify.Op{}, false
	return ops, overflow, err
}

// close closes the source and waits until it is drained. The source is drained meanwhile, because its Close may block
// otherwise.
func (q *queue) close() error {
	err := q.src.Close()
	<-q.done
	if err != nil {
		return fmt.Errorf("close file notifications: %w", err)
	}
	return nil
}
