package index

import (
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/store"
)

// skipCache remembers files that are skipped for their content (binary, private key), so that a rescan doesn't open
// them.
type skipCache struct {
	mu      sync.Mutex // leaf
	files   map[string]skippedFile
	scanNo  int
	changed bool // since the last call of reasons
}

type skippedFile struct {
	stamp  policy.Stamp
	at     time.Time
	reason api.Reason
	seenIn int    // scanNo of the last scan that found the file
	shared string // content hash of a file that only the shared index contains
}

// readMargin is the same as in the store.
const readMargin = 5 * time.Second

func newSkipCache() *skipCache { return &skipCache{files: map[string]skippedFile{}} }

func (s *skipCache) put(path string, stamp policy.Stamp, reason api.Reason, shared string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = s.changed || s.files[path].reason != reason
	s.files[path] = skippedFile{stamp, time.Now().Add(-readMargin), reason, s.scanNo, shared}
}

func (s *skipCache) forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(path)
}

func (s *skipCache) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
	s.changed = true
}

// remove requires s.mu.
func (s *skipCache) remove(path string) {
	if _, known := s.files[path]; known {
		delete(s.files, path)
		s.changed = true
	}
}

// beginScan returns a number to pass to endScan, which removes the files that neither this scan nor a later one found.
// If about is not nil, endScan removes only files that about accepts.
func (s *skipCache) beginScan() (no int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scanNo++
	return s.scanNo
}

func (s *skipCache) endScan(no int, about func(path string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, f := range s.files {
		if f.seenIn < no && (about == nil || about(path)) {
			s.remove(path)
		}
	}
}

func (s *skipCache) stamp(path string) (policy.Stamp, time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.files[path]
	if ok {
		f.seenIn = s.scanNo
		s.files[path] = f
	}
	return f.stamp, f.at, ok
}

// shared returns the hash of a file that exists only in the shared index, if the size and time in now equal the
// recorded ones.
func (s *skipCache) shared(path string, now policy.Stamp) (hash string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f.shared, f.shared != "" && f.stamp.Size == now.Size && f.stamp.ModTime.Equal(now.ModTime)
}

// reasons returns the skipped files if they have changed since the last call, or if always is true.
func (s *skipCache) reasons(always bool) (by map[string]api.Reason, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.changed && !always {
		return nil, false
	}
	by = make(map[string]api.Reason, len(s.files))
	for path, f := range s.files {
		by[path] = f.reason
	}
	changed, s.changed = s.changed, false
	return by, changed
}

// knownFiles implements scan.Known.
type knownFiles struct {
	*store.Store
	skips *skipCache
	tree  *Tree
	waits func(path string) bool
}

// Stamp returns a zero time for an unchanged file that must be read again, because it is in the wrong corpus or in a
// disabled corpus, or must be chunked again.
func (k knownFiles) Stamp(path string) (policy.Stamp, time.Time, bool) {
	if s, checked, ok := k.Store.Stamp(path); ok {
		want := k.tree.Corpus(path)
		if have, _ := k.Store.CorpusOf(path); k.waits(path) || have != want || (want == api.CorpusDocs && !k.tree.docs) {
			checked = time.Time{}
		}
		return policy.Stamp(s), checked, true
	}
	return k.skips.stamp(path)
}
