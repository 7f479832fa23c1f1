package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
)

// Calls are this side's unanswered requests. The zero value is ready for use.
type Calls struct {
	Prefix string // begins the ids, which are then strings; if "", ids are numbers

	mu   sync.Mutex
	last uint64
	open map[string]chan Message
}

// Open returns the id of a new request and a channel for its answer.
func (c *Calls) Open() (id json.RawMessage, answer <-chan Message) {
	ch := make(chan Message, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	text := strconv.FormatUint(c.last, 10)
	if c.Prefix != "" {
		text = strconv.Quote(c.Prefix + text)
	}
	if c.open == nil {
		c.open = map[string]chan Message{}
	}
	c.open[text] = ch
	return json.RawMessage(text), ch
}

// Close drops a request. Its answer is no longer expected.
func (c *Calls) Close(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, string(id))
}

// Answer delivers m to the waiting call and reports whether one was waiting.
func (c *Calls) Answer(m Message) bool {
	c.mu.Lock()
	ch, waiting := c.open[string(m.ID)]
	delete(c.open, string(m.ID))
	c.mu.Unlock()
	if waiting {
		ch <- m // never blocks, because the buffer is 1
	}
	return waiting
}

// Serving contains the peer's requests in progress. The zero value is ready for use.
type Serving struct {
	Max int // concurrent requests; 0 means any number

	mu   sync.Mutex
	open map[string]*served
}

type served struct {
	cancel    context.CancelFunc
	cancelled bool // by the peer, so it gets no answer
}

var (
	ErrDuplicateID = errors.New("a request with this id is in flight")
	ErrTooMany     = errors.New("too many requests in flight")
)

// Begin registers a request, whose context ends with ctx, Cancel or End. A cancellation sent right after the request
// finds it.
func (s *Serving) Begin(ctx context.Context, id json.RawMessage) (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, duplicate := s.open[string(id)]; duplicate {
		return nil, ErrDuplicateID
	}
	if s.Max > 0 && len(s.open) >= s.Max {
		return nil, ErrTooMany
	}
	if s.open == nil {
		s.open = map[string]*served{}
	}
	ctx, cancel := context.WithCancel(ctx)
	s.open[string(id)] = &served{cancel: cancel}
	return ctx, nil
}

// End removes a request and reports whether it was cancelled and needs no answer.
func (s *Serving) End(id json.RawMessage) (cancelled bool) {
	s.mu.Lock()
	r := s.open[string(id)]
	delete(s.open, string(id))
	s.mu.Unlock()
	if r == nil {
		return false
	}
	r.cancel()
	return r.cancelled
}

// Cancel ends a request's context for the peer, which gets no answer. An unknown id is ignored.
func (s *Serving) Cancel(id json.RawMessage) {
	s.mu.Lock()
	r := s.open[string(id)]
	if r != nil {
		r.cancelled = true
	}
	s.mu.Unlock()
	if r != nil {
		r.cancel()
	}
}
