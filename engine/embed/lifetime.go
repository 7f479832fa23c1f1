package embed

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// lifetime keeps a session while it has users, and for a while after.
type lifetime struct {
	load func() (*session, error) // not called by two goroutines at once
	idle time.Duration            // after which an unused session is freed; 0: never
	log  *slog.Logger

	mu      sync.Mutex
	session *session
	users   int
	loading chan struct{} // closed when the load that is under way has ended; nil without one
	timer   *time.Timer   // runs while the session is loaded and has no users
	closed  bool
	unused  chan struct{}  // closed when closed is set and the last user has gone
	freeing sync.WaitGroup // sessions being freed
}

func newLifetime(load func() (*session, error), idle time.Duration, log *slog.Logger) *lifetime {
	return &lifetime{load: load, idle: idle, log: log, unused: make(chan struct{})}
}

// use returns the session, loading it if need be; every success needs one done. Of several callers one loads and the others
// wait for it or for their context.
func (l *lifetime) use(ctx context.Context) (*session, error) {
	for {
		l.mu.Lock()
		switch {
		case l.closed:
			l.mu.Unlock()
			return nil, ErrClosed
		case l.session != nil:
			l.users++
			l.stopTimer()
			s := l.session
			l.mu.Unlock()
			return s, nil
		case l.loading == nil:
			l.loading = make(chan struct{})
			l.users++ // so that close waits for the load
			l.mu.Unlock()
			return l.loadSession()
		}
		wait := l.loading
		l.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// loadSession does the load that its caller has announced in l.loading.
func (l *lifetime) loadSession() (*session, error) {
	s, err := l.load()
	l.mu.Lock()
	close(l.loading)
	l.loading, l.session = nil, s
	l.mu.Unlock()
	if err != nil {
		l.done()
		return nil, err
	}
	return s, nil
}

// try loads the session if it can be loaded.
func (l *lifetime) try() error {
	if _, err := l.use(context.Background()); err != nil {
		return err
	}
	l.done()
	return nil
}

// done ends a use.
func (l *lifetime) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users--
	if l.users > 0 {
		return
	}
	if l.closed {
		close(l.unused)
		return
	}
	if l.session != nil && l.idle > 0 {
		l.timer = time.AfterFunc(l.idle, func() { l.unload() })
	}
}

// stopTimer is called with mu held. A timer that has fired already finds a user and does nothing.
func (l *lifetime) stopTimer() {
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

func (l *lifetime) loaded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session != nil
}

// unload frees the session unless it is in use, and reports whether there is none now.
func (l *lifetime) unload() bool {
	l.mu.Lock()
	if l.users > 0 {
		l.mu.Unlock()
		return false
	}
	l.stopTimer()
	s := l.session
	l.session = nil
	if s == nil {
		l.mu.Unlock()
		return true
	}
	l.freeing.Add(1)
	l.mu.Unlock()
	defer l.freeing.Done()
	if err := s.close(); err != nil {
		l.log.Warn("can't free the embedding model", "error", err)
	}
	TrimHeap()
	debug.FreeOSMemory()
	l.log.Debug("embedding model unloaded")
	return true
}

// close refuses new users, waits for those there are and frees the session.
func (l *lifetime) close() {
	l.mu.Lock()
	first := !l.closed
	l.closed = true
	l.stopTimer()
	if first && l.users == 0 {
		close(l.unused)
	}
	l.mu.Unlock()
	<-l.unused
	l.unload()
	l.freeing.Wait()
}
