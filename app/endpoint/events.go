package endpoint

import (
	"context"
	"time"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// subscribe forwards the hub's events to the session until it ends. The hub merges what a slow reader has not taken
// yet, and a window that stops reading for writeTimeout is disconnected, so neither memory nor anybody else suffers.
func (s *session) subscribe(b Backend) error {
	s.mu.Lock()
	again := s.watching
	s.watching = true
	s.mu.Unlock()
	if again {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	events := b.Subscribe(ctx)
	s.background.Go(func() {
		defer cancel()
		for {
			select {
			case <-s.done:
				return
			case e, open := <-events:
				if !open || s.notify(wire.NotifyEvent, e) != nil {
					return
				}
			}
		}
	})
	if s.window() {
		s.srv.gate.watched(+1)
	}
	return nil
}

// window reports whether the session is a window that sees questions.
func (s *session) window() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watching && s.hello.Role == wire.RoleWindow
}

// windows lists the windows that see questions.
func (s *Server) windows() []*session {
	var list []*session
	for _, ses := range s.snapshot() {
		if ses.window() {
			list = append(list, ses)
		}
	}
	return list
}

// windowPossible reports whether a question can be shown in a window: one is there, or can be opened.
func (s *Server) windowPossible() bool { return s.desktop() || len(s.windows()) > 0 }

// openWindow starts a window for a question if none is connected and none has just been started.
func (s *Server) openWindow(project string) {
	if s.opts.ShowWindow == nil || len(s.windows()) > 0 {
		return
	}
	now := time.Now()
	s.mu.Lock()
	starting := now.Sub(s.shown) < windowTime/2
	if !starting {
		s.shown = now
	}
	s.mu.Unlock()
	if !starting {
		s.opts.ShowWindow(wire.Show{Project: project})
	}
}

// show raises a window that is connected, or opens one.
func (s *Server) show(p wire.Show) error {
	if windows := s.windows(); len(windows) > 0 {
		return windows[0].notify(wire.NotifyShow, p)
	}
	if s.opts.ShowWindow == nil || !s.desktop() {
		return api.New(api.PermissionDenied, "There is no desktop session to open a window in.", "no desktop session", nil)
	}
	s.opts.ShowWindow(p)
	return nil
}
