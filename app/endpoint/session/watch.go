package session

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Watch forwards events to the client until the session ends, once for all: again is true if it does so already. The
// source merges what a slow reader has not taken yet, and a window that stops reading for writeTimeout is disconnected,
// so neither memory nor anybody else suffers.
func (s *Session) Watch(subscribe func(context.Context) <-chan api.Event) (again bool) {
	s.mu.Lock()
	again = s.watches
	s.watches = true
	s.mu.Unlock()
	if again {
		return true
	}
	ctx, cancel := context.WithCancel(context.Background())
	events := subscribe(ctx)
	s.background.Go(func() {
		defer cancel()
		for {
			select {
			case <-s.done:
				return
			case e, open := <-events:
				if !open || s.Notify(wire.NotifyEvent, e) != nil {
					return
				}
			}
		}
	})
	return false
}

// ShowsQuestions reports whether the session is a window that sees questions.
func (s *Session) ShowsQuestions() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watches && s.hello.Role == wire.RoleWindow
}
