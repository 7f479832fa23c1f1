package text

import (
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// mostHeld bounds the segments that pile up while merging waits: each has a file open, and every search asks each of them. A
// project of 25,000 files stays below it.
const mostHeld = 64

// merging makes scorch's merger wait while an index is being filled. Merging takes a fifth of the processor time of a first
// index; a person waits for the text, and then has the vectors' time for it, in one round instead of one after the other.
type merging struct {
	mu    sync.Mutex // a leaf
	moved sync.Cond  // of mu: whether the merger has to wait may be another matter now
	holds int
	fresh int  // segments made since the merger went on last
	ended bool // the index is closing, which waits for the merger
}

func newMerging() *merging {
	m := new(merging)
	m.moved.L = &m.mu
	return m
}

// hold makes the merger wait until the returned function is called.
func (m *merging) hold() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.holds++
	return sync.OnceFunc(func() { m.change(func() { m.holds-- }) })
}

func (m *merging) change(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
	m.moved.Broadcast()
}

// wait is where the merger waits. It reports whether it did not have to: otherwise the segments that the merger has in mind
// are no longer all there are, and it is to look again.
func (m *merging) wait() (atOnce bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	atOnce = true
	for m.holds > 0 && m.fresh < mostHeld && !m.ended {
		atOnce = false
		m.moved.Wait()
	}
	if atOnce {
		m.fresh = 0
	}
	return atOnce
}

// mergers finds what an event of scorch's is about; an event knows scorch's own handle only.
var mergers sync.Map // *scorch.Scorch to *merging

func init() { scorch.RegistryEventCallbacks[callback] = onEvent }

// onEvent is called on scorch's goroutines. Its answer counts before a merge only.
func onEvent(e scorch.Event) bool {
	v, ok := mergers.Load(e.Scorch)
	if !ok {
		return true
	}
	m := v.(*merging)
	switch e.Kind {
	case scorch.EventKindBatchIntroduction:
		m.change(func() { m.fresh++ })
	case scorch.EventKindPreMergeCheck:
		return m.wait()
	case scorch.EventKindCloseStart:
		m.change(func() { m.ended = true })
	case scorch.EventKindClose:
		mergers.Delete(e.Scorch)
	}
	return true
}

// HoldMerges lets segments pile up until the returned function is called, because a lot is going to be written. Searches ask
// more segments meanwhile.
func (x *Index) HoldMerges() (release func()) { return x.merging.hold() }
