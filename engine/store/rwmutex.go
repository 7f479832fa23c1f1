package store

import "sync"

// closableRWMutex is a readers–writer lock that can be closed: every later lock fails. As with sync.RWMutex a waiting
// writer blocks new readers, so a reader must not lock a second time.
type closableRWMutex struct {
	mu      sync.Mutex // guards what follows
	cond    *sync.Cond
	readers int
	writing bool
	closed  bool
}

func newClosableRWMutex() *closableRWMutex {
	g := &closableRWMutex{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

// rlock returns false if the lock is closed.
func (g *closableRWMutex) rlock() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.writing {
		g.cond.Wait()
	}
	if g.closed {
		return false
	}
	g.readers++
	return true
}

func (g *closableRWMutex) runlock() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.readers--; g.readers == 0 {
		g.cond.Broadcast()
	}
}

// lock waits until there is no reader or writer. It returns false if the lock is closed.
func (g *closableRWMutex) lock() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.writing {
		g.cond.Wait()
	}
	if g.closed {
		return false
	}
	g.writing = true
	for g.readers > 0 {
		g.cond.Wait()
	}
	return true
}

// unlock ends the write lock, and closes the lock for good if close is true.
func (g *closableRWMutex) unlock(close bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writing, g.closed = false, g.closed || close
	g.cond.Broadcast()
}
