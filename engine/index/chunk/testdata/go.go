// Copyright the authors of the fixture.

// Package queue is a queue.
package queue

import (
	"errors"
	"sync"
)

// ErrFull says that there is no room.
var ErrFull = errors.New("queue: full")

const (
	// Small is a size.
	Small = 1 << iota
	Large
)

type (
	// Item is what waits.
	Item[T any] struct{ Value T }
	Visitor     func(int) bool
)

// Queue holds items. It is safe for concurrent use.
type Queue[T any] struct {
	mu    sync.Mutex
	items []Item[T]
}

// Putter puts.
type Putter interface {
	Put(v int) error
}

// New returns an empty queue.
func New[T any](n int) *Queue[T] {
	return &Queue[T]{items: make([]Item[T], 0, n)}
}

// Put appends v, or fails with ErrFull.
//
//go:noinline
func (q *Queue[T]) Put(v T) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == cap(q.items) {
		return ErrFull
	}
	q.items = append(q.items, Item[T]{v})
	return nil
}

var a, b = 1, 2
