package session

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Watch forwards events to the client. It returns true if it was called before.
func (s *Session) Watch(subscribe func(context.Context) <-chan api.Event) (again bool) {
	s.update(func(st *state) { again, st.watches = st.watches, true })
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

func (s *Session) ShowsQuestions() bool {
	st := s.now()
	return st.watches && st.hello.Role == api.RoleWindow
}
