package store

import "sync"

// closableRWMutex is an RWMutex that can be closed, after which locking fails. A waiting writer blocks new readers, so
// a reader must not lock a second time.
type closableRWMutex struct {
	sync.RWMutex
	closed bool
}

func (g *closableRWMutex) rlock() bool {
	g.RLock()
	if g.closed {
		g.RUnlock()
		return false
	}
	return true
}

// lock takes the write lock. It returns false if the lock is closed.
func (g *closableRWMutex) lock() bool {
	g.Lock()
	if g.closed {
		g.Unlock()
		return false
	}
	return true
}

// unlock releases the write lock and, if close is true, closes the lock.
func (g *closableRWMutex) unlock(close bool) {
	g.closed = g.closed || close
	g.Unlock()
}
