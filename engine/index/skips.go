package index

import (
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/store"
)

// skipCache caches the files that only their content keeps out of the index (binary, private key), so that a rescan
// neither opens them again nor counts them as changed. It is not persisted: after a start each is read once.
type skipCache struct {
	mu      sync.Mutex // leaf
	files   map[string]skippedFile
	scanNo  int
	changed bool // since reasons was called last
}

type skippedFile struct {
	stamp  policy.Stamp
	at     time.Time // when stamp and content were last compared
	reason api.Reason
	seenIn int    // scanNo of the last rescan that met the file
	shared string // hash of the content, if it is left to the shared index
}

// readMargin is how long before put the file may have been read, as in the store.
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

// clear forgets everything: the rules have changed.
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

// beginScan starts a scan. Its number is endScan's, which forgets the files that this scan, or a later one, was about
// and did not meet: all, or those that about picks.
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

// shared returns the hash of a file's content if it was left to the shared index when it looked like now.
func (s *skipCache) shared(path string, now policy.Stamp) (hash string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f.shared, f.shared != "" && f.stamp.Size == now.Size && f.stamp.ModTime.Equal(now.ModTime)
}

// reasons returns why each file is left out, if that has changed since the last call or always is set.
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

// knownFiles is what a scan compares with: the store's files and the skipped ones. It implements scan.Known.
type knownFiles struct {
	*store.Store
	skips *skipCache
	tree  *Tree
	waits func(path string) bool
}

// Stamp returns a zero time of comparison for a file in the wrong half of the index, or in one that is switched off, or
// one that waits to be cut again, so that it is read again although it has not changed.
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
