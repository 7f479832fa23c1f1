package store

import "sync"

// closableRWMutex is a readers–writer lock that can be closed: every later lock fails. As with sync.RWMutex a
// waiting writer blocks new readers, so a reader must not lock a second time.
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

// lock waits for all readers and the writer. It returns false if the lock is closed.
func (g *closableRWMutex) lock() bool {
	g.Lock()
	if g.closed {
		g.Unlock()
		return false
	}
	return true
}

// unlock ends the write lock. If close is true, it also closes the lock.
func (g *closableRWMutex) unlock(close bool) {
	g.closed = g.closed || close
	g.Unlock()
}
