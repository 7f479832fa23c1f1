package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
)

// Calls contains the unanswered requests that this side has sent.
type Calls struct {
	Prefix string // prefix of each id; if empty, ids are numbers

	mu   sync.Mutex
	last uint64
	open map[string]chan Message
}

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

func (c *Calls) Close(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, string(id))
}

// Answer passes the answer m to the call that waits for it. It reports whether a call was waiting.
func (c *Calls) Answer(m Message) bool {
	c.mu.Lock()
	ch, waiting := c.open[string(m.ID)]
	delete(c.open, string(m.ID))
	c.mu.Unlock()
	if waiting {
		ch <- m // never blocks: the buffer is 1
	}
	return waiting
}

// Serving contains the unanswered requests that the peer has sent.
type Serving struct {
	Max int // maximum number; 0 means no limit

	mu   sync.Mutex
	open map[string]*served
}

type served struct {
	cancel    context.CancelFunc
	cancelled bool // the peer cancelled the request, so it gets no answer
}

var (
	ErrDuplicateID = errors.New("a request with this id is in flight")
	ErrTooMany     = errors.New("too many requests in flight")
)

// Begin registers the request with the given id. The reader must call Begin before it reads the next message, which may
// be a cancellation.
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

// End removes the request with the given id. It reports whether the peer cancelled the request and needs no answer.
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
