package store

import "sync"

// gate lets any number of users in, or one that must be alone. Who wants to be alone keeps new users waiting, so a user must not
// enter a second time.
type gate struct {
	mu     sync.Mutex // guards all below
	cond   *sync.Cond
	users  int
	alone  bool
	closed bool
}

func newGate() *gate {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

// enter returns false if the gate was closed.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.alone {
		g.cond.Wait()
	}
	if g.closed {
		return false
	}
	g.users++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.users--; g.users == 0 {
		g.cond.Broadcast()
	}
}

// lock waits until nobody else is in. It returns false if the gate was closed.
func (g *gate) lock() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.alone {
		g.cond.Wait()
	}
	if g.closed {
		return false
	}
	g.alone = true
	for g.users > 0 {
		g.cond.Wait()
	}
	return true
}

// unlock lets others in again, or nobody ever if close is true.
func (g *gate) unlock(close bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.alone, g.closed = false, g.closed || close
	g.cond.Broadcast()
}
