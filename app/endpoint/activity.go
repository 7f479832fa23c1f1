package endpoint

import (
	"slices"
	"sync"

	"searchmcp/engine/api"
)

// keptActivity is what a person can still scroll through.
const keptActivity = 200

// activity is the ring of the last calls and of what happened to the indexes. Queries are in it, so it is kept in memory only.
type activity struct {
	mu   sync.Mutex
	ring []api.Activity
}

func newActivity() *activity { return &activity{} }

func (a *activity) add(entry api.Activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.push(entry)
}

// push is called with the lock held.
func (a *activity) push(entry api.Activity) {
	if len(a.ring) == keptActivity {
		a.ring = slices.Delete(a.ring, 0, 1)
	}
	a.ring = append(a.ring, entry)
}

// merge adds an entry, in place of the last one if both are updates of one project: saving often is one thing that happens.
func (a *activity) merge(entry api.Activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.ring); n > 0 && entry.Tool == string(api.ActionUpdate) {
		last := &a.ring[n-1]
		if last.Tool == entry.Tool && last.Project == entry.Project && last.Error == entry.Error {
			*last = entry
			return
		}
	}
	a.push(entry)
}

// clear forgets everything.
func (a *activity) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ring = nil
}

// list returns the entries, newest first.
func (a *activity) list() []api.Activity {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := append([]api.Activity{}, a.ring...)
	slices.Reverse(list)
	return list
}
