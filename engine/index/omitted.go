package index

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/store"
)

// omitted records skipped and partially indexed files, for display. It also records the sizes and modification times of
// files with unsuitable content, such as binary files. A rescan then doesn't open these files.
type omitted struct {
	dir string

	mu       sync.Mutex // guards the fields below
	byPath   map[string]api.Reason
	unlisted api.Skipped            // numbers of skipped files that are not in byPath
	content  map[string]skippedFile // files that were skipped because of their content
	scanNo   int
	partial  map[string]api.Partial
	figures  *omissionFigures // nil if out of date
	counted  time.Time        // time when figures was computed
	changed  bool             // content is newer than figures
}

type skippedFile struct {
	stamp  policy.Stamp
	at     time.Time
	reason api.Reason
	seenIn int    // number of the last scan that found the file
	shared string // hash of a file that only the shared index contains
}

// omissionFigures contains numbers and paths of skipped and partially indexed files, for display. It is immutable.
type omissionFigures struct {
	skipped      api.Skipped
	examples     map[api.Reason][]string
	partial      []api.Partial
	partialFiles int
}

const (
	maxNamed  = 5  // maximum number of displayed paths per reason
	maxUnread = 20 // maximum number of displayed paths of unreadable files
	maxParts  = 20 // maximum number of displayed paths of partially indexed files
)

// recount is the minimum time between two computations of omissionFigures.
const recount = time.Second

// openOmitted reads the list of partially indexed files that an earlier run saved.
func openOmitted(dir string, indexed func(path string) bool) (*omitted, error) {
	o := &omitted{dir: dir, partial: map[string]api.Partial{}}
	o.clear()
	kept, err := store.ReadPartial(dir)
	for _, p := range kept {
		if indexed(p.Path) {
			o.partial[p.Path] = p
		}
	}
	return o, err
}

func (o *omitted) put(path string, stamp policy.Stamp, reason api.Reason, shared string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed = o.changed || o.content[path].reason != reason
	o.content[path] = skippedFile{stamp, time.Now().Add(-store.ReadMargin), reason, o.scanNo, shared}
}

func (o *omitted) forget(path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(path)
}

// The caller of remove must lock o.mu.
func (o *omitted) remove(path string) {
	if _, known := o.content[path]; known {
		delete(o.content, path)
		o.changed = true
	}
}

func (o *omitted) beginScan() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.scanNo++
	return o.scanNo
}

func (o *omitted) stamp(path string) (policy.Stamp, time.Time, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, ok := o.content[path]
	if ok {
		f.seenIn = o.scanNo
		o.content[path] = f
	}
	return f.stamp, f.at, ok
}

// shared returns the hash of an unchanged file that only the shared index contains.
func (o *omitted) shared(path string, stamp policy.Stamp) (hash string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.content[path]
	return f.shared, f.shared != "" && f.stamp.Size == stamp.Size && f.stamp.ModTime.Equal(stamp.ModTime)
}

// recordFullScan records the files that a scan of the whole project skipped or could not read.
func (o *omitted) recordFullScan(scanNo int, r scan.Report, unread []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures = nil
	o.byPath, o.unlisted = maps.Clone(r.Paths), maps.Clone(r.Skipped)
	for _, reason := range o.byPath {
		o.unlisted[reason]--
	}
	o.endScan(scanNo, func(string) bool { return true })
	o.add(api.SkipUnreadable, unread...)
}

// recordScan records the skipped files of a scan of paths. If scanNo is not 0, it forgets skipped files that the scan
// has not found.
func (o *omitted) recordScan(scanNo int, tree *Tree, paths []string, found map[string]api.Reason, unread []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures = nil
	at := make(map[string]bool, len(paths))
	for _, p := range paths {
		at[p] = true
	}
	below := func(path string) bool { return tree.covers(at, path) }
	maps.DeleteFunc(o.byPath, func(path string, _ api.Reason) bool { return below(path) })
	o.endScan(scanNo, below)
	for path, reason := range found {
		o.add(reason, path)
	}
	o.add(api.SkipUnreadable, unread...)
}

// endScan forgets files that no scan since scanNo has found, if inScope returns true for them. The caller must lock
// o.mu.
func (o *omitted) endScan(scanNo int, inScope func(path string) bool) {
	for path, f := range o.content {
		if f.seenIn < scanNo && inScope(path) {
			o.remove(path)
		}
	}
}

// The caller of add must lock o.mu.
func (o *omitted) add(reason api.Reason, paths ...string) {
	for _, path := range paths {
		if _, known := o.byPath[path]; known || len(o.byPath) < scan.MaxPaths {
			o.byPath[path] = reason
		}
	}
}

// clear forgets the skipped files. It is called when the configuration changes.
func (o *omitted) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.byPath, o.unlisted, o.content, o.figures = map[string]api.Reason{}, nil, map[string]skippedFile{}, nil
}

// setPartial updates the list of partially indexed files. It must be called before the files are committed. After a
// crash in between, the files are then indexed again.
func (o *omitted) setPartial(partial []api.Partial, complete []string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	changed := false
	for _, path := range complete {
		if _, known := o.partial[path]; known {
			delete(o.partial, path)
			changed = true
		}
	}
	for _, p := range partial {
		if o.partial[p.Path] != p {
			o.partial[p.Path] = p
			changed = true
		}
	}
	if !changed {
		return nil
	}
	o.figures = nil
	return store.WritePartial(o.dir, o.sortedPartial())
}

// sortedPartial returns the partially indexed files, sorted by path. The caller must lock o.mu.
func (o *omitted) sortedPartial() []api.Partial {
	return slices.SortedFunc(maps.Values(o.partial), func(a, b api.Partial) int { return strings.Compare(a.Path, b.Path) })
}

func (o *omitted) of(path string) (api.Partial, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p, ok := o.partial[path]
	return p, ok
}

func (o *omitted) waits(path string) bool {
	p, _ := o.of(path)
	return p.Plain == api.PlainAway
}

func (o *omitted) anyWaits() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.sortedPartial(), func(p api.Partial) bool { return p.Plain == api.PlainAway })
}

// shown returns the numbers and paths for display. Callers must not change them.
func (o *omitted) shown() *omissionFigures {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.figures == nil || o.changed && time.Since(o.counted) >= recount {
		o.figures, o.counted, o.changed = o.count(), time.Now(), false
	}
	return o.figures
}

func (o *omitted) count() *omissionFigures {
	f := &omissionFigures{skipped: maps.Clone(o.unlisted), examples: map[api.Reason][]string{}}
	if f.skipped == nil {
		f.skipped = api.Skipped{}
	}
	for path, reason := range o.byPath {
		f.add(reason, path)
	}
	for path, c := range o.content {
		f.add(c.reason, path)
	}
	maps.DeleteFunc(f.skipped, func(_ api.Reason, n int) bool { return n == 0 })
	f.partial, f.partialFiles = o.sortedPartial(), len(o.partial)
	f.partial = f.partial[:min(len(f.partial), maxParts)]
	return f
}

func (f *omissionFigures) add(reason api.Reason, path string) {
	f.skipped[reason]++
	most := maxNamed
	if reason == api.SkipUnreadable {
		most = maxUnread
	}
	list := f.examples[reason]
	if len(list) == most && path > list[most-1] {
		return
	}
	at, _ := slices.BinarySearch(list, path)
	list = slices.Insert(list, at, path)
	f.examples[reason] = list[:min(len(list), most)]
}

type knownFiles struct {
	*store.Store
	omitted *omitted
	tree    *Tree
}

// Stamp returns the recorded size and modification time of a file, and when the file was checked. The time is zero if
// an unchanged file must be read again.
func (k knownFiles) Stamp(path string) (policy.Stamp, time.Time, bool) {
	if s, checked, ok := k.Store.Stamp(path); ok {
		want := k.tree.Corpus(path)
		if have, _ := k.CorpusOf(path); k.omitted.waits(path) || have != want || want == api.CorpusDocs && !k.tree.docs {
			checked = time.Time{}
		}
		return s, checked, true
	}
	return k.omitted.stamp(path)
}
