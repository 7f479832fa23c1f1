package index

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/store"
)

// omitted tracks skipped and partially indexed files, for display.
type omitted struct {
	dir   string
	skips *skipCache

	mu      sync.Mutex // guards the fields below; skips.mu is locked below it
	left    map[string]api.Reason
	beyond  api.Skipped // skipped files of the last full scan that are not in left
	partial map[string]api.Partial
	figures *omissionFigures // nil if they must be counted
	counted time.Time
}

// omissionFigures contains the figures and names to display. It is immutable.
type omissionFigures struct {
	skipped      api.Skipped
	examples     map[api.Reason][]string
	partial      []api.Partial
	partialFiles int
}

// The maximum number of names per reason. More unreadable files are named, because the user needs to act on them.
const (
	maxNamed  = 5
	maxUnread = 20
	maxParts  = 20
)

// recount is the maximum age of figures during a scan.
const recount = time.Second

// openOmitted reads the state that an earlier run saved, and drops the paths that are no longer indexed.
func openOmitted(dir string, skips *skipCache, indexed func(path string) bool) (*omitted, error) {
	o := &omitted{dir: dir, skips: skips, left: map[string]api.Reason{}, partial: map[string]api.Partial{}}
	kept, err := store.ReadPartial(dir)
	for _, p := range kept {
		if indexed(p.Path) {
			o.partial[p.Path] = p
		}
	}
	return o, err
}

// whole records the result of a full scan.
func (o *omitted) whole(r scan.Report, unread []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures = nil
	o.left, o.beyond = maps.Clone(r.Paths), api.Skipped{}
	listed := api.Skipped{}
	for _, reason := range o.left {
		listed[reason]++
	}
	for reason, n := range r.Skipped {
		if n > listed[reason] {
			o.beyond[reason] = n - listed[reason]
		}
	}
	o.addUnread(unread)
}

// some records the result of a scan of the given paths and everything below them.
func (o *omitted) some(tree *Tree, paths []string, r scan.Report, unread []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures = nil
	o.drop(tree, paths)
	for path, reason := range r.Paths {
		o.add(path, reason)
	}
	o.addUnread(unread)
}

// drop requires o.mu.
func (o *omitted) drop(tree *Tree, paths []string) {
	at := setOf(paths)
	for path := range o.left {
		if tree.covers(at, path) {
			delete(o.left, path)
		}
	}
}

// add requires o.mu.
func (o *omitted) add(path string, reason api.Reason) {
	if _, known := o.left[path]; known || len(o.left) < scan.MaxPaths {
		o.left[path] = reason
	}
}

// addUnread requires o.mu.
func (o *omitted) addUnread(paths []string) {
	for _, path := range paths {
		o.add(path, api.SkipUnreadable)
	}
}

func (o *omitted) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left, o.beyond, o.figures = map[string]api.Reason{}, nil, nil
}

// setPartial records the files in cut as partly indexed, and forgets the files in others, which are now complete or
// removed. It writes the list before the commit. After a crash between the two, the files are chunked and recorded
// again.
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

// sortedPartial requires o.mu.
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

// waits reports whether the file must be chunked again when parsers are available.
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

// shown returns the figures to display. Callers must not change them.
func (o *omitted) shown() *omissionFigures {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.figures != nil && time.Since(o.counted) < recount {
		return o.figures
	}
	if contents, changed := o.skips.reasons(o.figures == nil); changed || o.figures == nil {
		o.figures, o.counted = o.count(contents), time.Now()
	}
	return o.figures
}

// count counts the omitted files. contents are the files that were skipped for their content. It requires o.mu.
func (o *omitted) count(contents map[string]api.Reason) *omissionFigures {
	f := &omissionFigures{skipped: api.Skipped{}, examples: map[api.Reason][]string{}}
	for _, all := range []map[string]api.Reason{o.left, contents} {
		for path, reason := range all {
			f.skipped[reason]++
			f.name(reason, path)
		}
	}
	for reason, n := range o.beyond {
		f.skipped[reason] += n
	}
	f.partial, f.partialFiles = o.sortedPartial(), len(o.partial)
	f.partial = f.partial[:min(len(f.partial), maxParts)]
	return f
}

func setOf(paths []string) map[string]bool {
	set := make(map[string]bool, len(paths))
	for _, p := range paths {
		set[p] = true
	}
	return set
}

func (f *omissionFigures) name(reason api.Reason, path string) {
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
