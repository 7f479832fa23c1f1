package index

import (
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/policy"
	"searchmcp/engine/store"
)

// skips remembers the files that only their content keeps out of the index (binary, private key), so that a rescan need not
// open them again and doesn't count them as changed. It lives in memory: after a start each is read once.
type skips struct {
	mu    sync.Mutex // leaf
	files map[string]skip
	round int
}

type skip struct {
	stamp  policy.Stamp
	at     time.Time // when the stamp was compared with the content, as store.Touch counts it
	reason api.Reason
	seen   int    // round of the last rescan that met the file
	shared string // hash of the content, if the reason is that the shared index has it
}

// readAhead is how long before it is noted a file may have been read, as in the store.
const readAhead = 5 * time.Second

func newSkips() *skips { return &skips{files: map[string]skip{}} }

func (s *skips) put(path string, stamp policy.Stamp, reason api.Reason, shared string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = skip{stamp, time.Now().Add(-readAhead), reason, s.round, shared}
}

func (s *skips) forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, path)
}

// clear forgets everything: other rules are in force.
func (s *skips) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
}

// begin starts a rescan, sweep ends it: files that were not met are forgotten.
func (s *skips) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.round++
}

func (s *skips) sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, f := range s.files {
		if f.seen != s.round {
			delete(s.files, path)
		}
	}
}

func (s *skips) stamp(path string) (policy.Stamp, time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.files[path]
	if ok {
		f.seen = s.round
		s.files[path] = f
	}
	return f.stamp, f.at, ok
}

// shared returns the hash of a file's content if it was left to the shared index when it looked like now.
func (s *skips) shared(path string, now policy.Stamp) (hash string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f.shared, f.shared != "" && f.stamp.Size == now.Size && f.stamp.ModTime.Equal(now.ModTime)
}

func (s *skips) counts() api.Skipped {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := api.Skipped{}
	for _, f := range s.files {
		out[f.reason]++
	}
	return out
}

// known is a store, and the files that are known to be none of its business, as the scan sees them.
type known struct {
	*store.Store
	skips *skips
	tree  *Tree
}

// Stamp gives a file that lies in the wrong half of the index, or in one that is switched off, no time of comparison: it is read again
// although it has not changed.
func (k known) Stamp(path string) (policy.Stamp, time.Time, bool) {
	if s, checked, ok := k.Store.Stamp(path); ok {
		want := k.tree.Corpus(path)
		if have, _ := k.Store.CorpusOf(path); have != want || (want == api.CorpusDocs && !k.tree.docs) {
			checked = time.Time{}
		}
		return policy.Stamp(s), checked, true
	}
	return k.skips.stamp(path)
}
