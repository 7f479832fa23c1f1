package jobs

import (
	"context"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// Hub passes events to all subscribers. If a subscriber is slow, a project's new status replaces the status that waits
// in the subscriber's queue.
type Hub struct {
	mu   sync.Mutex
	subs map[*subscription]struct{}
}

func NewHub() *Hub { return &Hub{subs: map[*subscription]struct{}{}} }

func (h *Hub) Publish(e api.Event) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		s.put(e)
	}
}

func (h *Hub) Subscribe(ctx context.Context) <-chan api.Event {
	s := &subscription{wake: make(chan struct{}, 1), out: make(chan api.Event)}
	h.mu.Lock()
	h.subs[s] = struct{}{}
	h.mu.Unlock()
	go func() {
		defer close(s.out)
		defer func() {
			h.mu.Lock()
			delete(h.subs, s)
			h.mu.Unlock()
		}()
		s.run(ctx)
	}()
	return s.out
}

// maxQueue is the maximum number of events that wait for a subscriber. Further events remove the oldest ones.
const maxQueue = 4096

type subscription struct {
	mu    sync.Mutex
	queue []api.Event
	wake  chan struct{}
	out   chan api.Event
}

func snapshot(k api.EventKind) bool { return k == api.EventProject || k == api.EventProgress }

func (s *subscription) put(e api.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if snapshot(e.Kind) {
		for i := len(s.queue) - 1; i >= 0; i-- {
			q := s.queue[i]
			if q.ProjectID != e.ProjectID {
				continue
			}
			if q.Kind == e.Kind {
				s.queue[i] = e
				return
			}
			if !snapshot(q.Kind) {
				break // e must not overtake q
			}
		}
	}
	if len(s.queue) >= maxQueue {
		s.queue = s.queue[1:]
	}
	s.queue = append(s.queue, e)
	Offer(s.wake, struct{}{})
}

// Offer sends v to c unless that would block.
func Offer[T any](c chan<- T, v T) {
	select {
	case c <- v:
	default:
	}
}

func (s *subscription) take() (api.Event, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return api.Event{}, false
	}
	e := s.queue[0]
	s.queue = s.queue[1:]
	return e, true
}

func (s *subscription) run(ctx context.Context) {
	for {
		e, ok := s.take()
		if !ok {
			select {
			case <-s.wake:
				continue
			case <-ctx.Done():
				return
			}
		}
		select {
		case s.out <- e:
		case <-ctx.Done():
			return
		}
	}
}
