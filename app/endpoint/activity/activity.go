package activity

import (
	"slices"
	"sync"

	"searchmcp/engine/api"
)

// kept is what a person can still scroll through.
const kept = 200

// Log is the ring of the last calls and of what happened to the indexes. Queries are in it, so it is kept in memory
// only.
type Log struct {
	mu   sync.Mutex
	ring []api.Activity
}

// New makes an empty log.
func New() *Log { return &Log{} }

// Add notes a call.
func (l *Log) Add(entry api.Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.push(entry)
}

// push is called with the lock held.
func (l *Log) push(entry api.Activity) {
	if len(l.ring) == kept {
		l.ring = slices.Delete(l.ring, 0, 1)
	}
	l.ring = append(l.ring, entry)
}

// merge adds an entry, in place of the last one if both are updates of one project: saving often is one thing that
// happens.
func (l *Log) merge(entry api.Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.ring); n > 0 && entry.Tool == string(api.ActionUpdate) {
		last := &l.ring[n-1]
		if last.Tool == entry.Tool && last.Project == entry.Project && last.Error == entry.Error {
			*last = entry
			return
		}
	}
	l.push(entry)
}

// Clear forgets everything.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring = nil
}

// List returns the entries, newest first.
func (l *Log) List() []api.Activity {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := append([]api.Activity{}, l.ring...)
	slices.Reverse(list)
	return list
}
