package store

import "sync"

// closableRWMutex is an RWMutex that can be closed. Locking a closed mutex fails.
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

func (g *closableRWMutex) lock() bool {
	g.Lock()
	if g.closed {
		g.Unlock()
		return false
	}
	return true
}

func (g *closableRWMutex) unlock(close bool) {
	g.closed = g.closed || close
	g.Unlock()
}
