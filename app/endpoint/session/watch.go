package session

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Watch forwards events to the client until the session ends; again is true if it was already doing so. The source
// merges events for a slow reader.
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

// ShowsQuestions reports whether the session is a window that shows questions.
func (s *Session) ShowsQuestions() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watches && s.hello.Role == wire.RoleWindow
}
