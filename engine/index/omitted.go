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

// omitted tracks skipped and partially indexed files for display. It also records the stamps of files that are skipped
// for their content (binary, private key), so that a rescan doesn't open them.
type omitted struct {
	dir string

	mu      sync.Mutex // leaf, guards the fields below
	left    map[string]api.Reason
	beyond  api.Skipped // skipped files of the last full scan that are not in left
	content map[string]skippedFile
	scanNo  int
	partial map[string]api.Partial
	figures *omissionFigures // nil if out of date
	counted time.Time
	changed bool // content has changed since counted
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

// omissionFigures contains the figures and names to display. It is immutable.
type omissionFigures struct {
	skipped      api.Skipped
	examples     map[api.Reason][]string
	partial      []api.Partial
	partialFiles int
}

// The maximum number of names per reason. More unreadable files are named, because users need to act on them.
const (
	maxNamed  = 5
	maxUnread = 20
	maxParts  = 20
)

// recount is the maximum age of figures during a scan.
const recount = time.Second

// openOmitted reads the state of an earlier run and drops paths that are no longer indexed.
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
	o.content[path] = skippedFile{stamp, time.Now().Add(-readMargin), reason, o.scanNo, shared}
}

func (o *omitted) forget(path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(path)
}

// The caller of remove must hold o.mu.
func (o *omitted) remove(path string) {
	if _, known := o.content[path]; known {
		delete(o.content, path)
		o.changed = true
	}
}

// beginScan returns a scan number for whole or some.
func (o *omitted) beginScan() (no int) {
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

// shared returns the hash of a file that only the shared index contains, if its stamp still equals now.
func (o *omitted) shared(path string, now policy.Stamp) (hash string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.content[path]
	return f.shared, f.shared != "" && f.stamp.Size == now.Size && f.stamp.ModTime.Equal(now.ModTime)
}

// whole records the result r of the full scan no. It forgets files that neither this scan nor a later scan found.
// unread are files that could not be read after the scan.
func (o *omitted) whole(no int, r scan.Report, unread []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures = nil
	o.left, o.beyond = maps.Clone(r.Paths), maps.Clone(r.Skipped)
	for _, reason := range o.left {
		o.beyond[reason]--
	}
	o.endScan(no, func(string) bool { return true })
	o.add(api.SkipUnreadable, unread...)
}

// some is like whole for a scan of paths and everything below them. If no is 0, no files were compared.
func (o *omitted) some(no int, tree *Tree, paths []string, found map[string]api.Reason, unread []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures = nil
	at := make(map[string]bool, len(paths))
	for _, p := range paths {
		at[p] = true
	}
	below := func(path string) bool { return tree.covers(at, path) }
	maps.DeleteFunc(o.left, func(path string, _ api.Reason) bool { return below(path) })
	o.endScan(no, below)
	for path, reason := range found {
		o.add(reason, path)
	}
	o.add(api.SkipUnreadable, unread...)
}

// The caller of endScan must hold o.mu.
func (o *omitted) endScan(no int, about func(path string) bool) {
	for path, f := range o.content {
		if f.seenIn < no && about(path) {
			o.remove(path)
		}
	}
}

// The caller of add must hold o.mu.
func (o *omitted) add(reason api.Reason, paths ...string) {
	for _, path := range paths {
		if _, known := o.left[path]; known || len(o.left) < scan.MaxPaths {
			o.left[path] = reason
		}
	}
}

// clear forgets the skipped files after a change of the rules.
func (o *omitted) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left, o.beyond, o.content, o.figures = map[string]api.Reason{}, nil, map[string]skippedFile{}, nil
}

// setPartial records cut as partly indexed files and forgets others, which are complete or removed. It writes the list
// before the commit, so that the files are chunked and recorded again after a crash between the two.
func (o *omitted) setPartial(cut []api.Partial, others []string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	changed := false
	for _, path := range others {
		if _, known := o.partial[path]; known {
			delete(o.partial, path)
			changed = true
		}
	}
	for _, p := range cut {
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

// The caller of sortedPartial must hold o.mu.
func (o *omitted) sortedPartial() []api.Partial {
	list := slices.Collect(maps.Values(o.partial))
	slices.SortFunc(list, func(a, b api.Partial) int { return strings.Compare(a.Path, b.Path) })
	return list
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
	for _, p := range o.partial {
		if p.Plain == api.PlainAway {
			return true
		}
	}
	return false
}

// shown returns the figures to display, which callers must not change.
func (o *omitted) shown() *omissionFigures {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.figures == nil || o.changed && time.Since(o.counted) >= recount {
		o.figures, o.counted, o.changed = o.count(), time.Now(), false
	}
	return o.figures
}

func (o *omitted) count() *omissionFigures {
	f := &omissionFigures{skipped: maps.Clone(o.beyond), examples: map[api.Reason][]string{}}
	if f.skipped == nil {
		f.skipped = api.Skipped{}
	}
	for path, reason := range o.left {
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

// knownFiles implements scan.Known.
type knownFiles struct {
	*store.Store
	omitted *omitted
	tree    *Tree
}

// Stamp returns a zero time for an unchanged file that must be read again, because its corpus is wrong or disabled or
// its chunks are outdated.
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
