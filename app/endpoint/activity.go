package endpoint

import (
	"slices"
	"sync"

	"searchmcp/engine/api"
)

// keptActivity is what a person can still scroll through.
const keptActivity = 200

// activity is the ring of the last calls. Queries are in it, so it is kept in memory only.
type activity struct {
	mu   sync.Mutex
	ring []api.Activity
}

func newActivity() *activity { return &activity{} }

func (a *activity) add(entry api.Activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.ring) == keptActivity {
		a.ring = slices.Delete(a.ring, 0, 1)
	}
	a.ring = append(a.ring, entry)
}

// list returns the calls, newest first.
func (a *activity) list() []api.Activity {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := slices.Clone(a.ring)
	slices.Reverse(list)
	return list
}
