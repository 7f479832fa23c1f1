package watch

import (
	"log/slog"
	"slices"
	"sync"
	"time"
)

// DirtyStore keeps the dirty paths across restarts (RFC 5.7: dirty-files.json). The whole project is the path ".".
type DirtyStore interface {
	Load() ([]string, error)
	Save(paths []string) error
}

// maxDirty bounds the set; above it the whole project counts as dirty. It is the RFC's soft limit on files.
const maxDirty = 50000

// dirty is what changed and was not handed on yet: RFC 5.7's dirty files manager. It belongs to the orchestrator and
// outlives the strategies, so switching loses nothing. Safe for concurrent use.
type dirty struct {
	mu      sync.Mutex // guards what follows
	paths   map[string]struct{}
	rest    Batch // everything but the paths
	changed chan struct{}
}

func newDirty() *dirty { return &dirty{paths: map[string]struct{}{}, changed: make(chan struct{}, 1)} }

// add takes a batch that is neither RootGone nor Back.
func (d *dirty) add(b Batch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range b.Paths {
		d.paths[p] = struct{}{}
	}
	b.Paths = nil
	b.Rescan = b.Rescan || len(d.paths) > maxDirty
	if b.Rescan || d.rest.Rescan {
		clear(d.paths)
	}
	d.rest = d.rest.join(b)
	d.mark()
}

func (d *dirty) mark() {
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// peek returns everything as one batch.
func (d *dirty) peek() Batch {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.rest
	b.Paths = d.sorted()
	if b.Cause == "" && len(b.Paths) > 0 {
		b.Cause = CauseChange
	}
	return b
}

func (d *dirty) sorted() []string {
	if len(d.paths) == 0 {
		return nil
	}
	list := make([]string, 0, len(d.paths))
	for p := range d.paths {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}

// clear forgets everything: it has been handed on.
func (d *dirty) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.paths)
	d.rest = Batch{}
	d.mark()
}

// pending counts the dirty paths; whole says that the whole project is dirty.
func (d *dirty) pending() (paths int, whole bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.paths), d.rest.Rescan
}

// saved is what a store is given.
func (d *dirty) saved() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rest.Rescan {
		return []string{"."}
	}
	if d.rest.Ignore {
		return append([]string{"."}, d.sorted()...)
	}
	return d.sorted()
}

// load adds what a store kept. A set that can't be read means a rescan.
func (d *dirty) load(s DirtyStore, log *slog.Logger) {
	paths, err := s.Load()
	if err != nil {
		log.Warn("Dirty files can't be read; the whole project will be compared", "error", err)
		paths = []string{"."}
	}
	b := Batch{Paths: paths, Cause: CauseChange}
	if slices.Contains(paths, ".") {
		b = Batch{Rescan: true, Cause: CauseChange}
	}
	if !b.Empty() {
		d.add(b)
	}
}

// saveEvery bounds how often the set is written; what a crash loses in it, the pass at start finds.
const saveEvery = time.Second

// keep writes the set after changes, until stop is closed, then a last time.
func (d *dirty) keep(s DirtyStore, log *slog.Logger, stop <-chan struct{}) {
	var last []string
	save := func() {
		now := d.saved()
		if slices.Equal(now, last) {
			return
		}
		if err := s.Save(now); err != nil {
			log.Warn("Dirty files can't be saved; after a crash the pass at start finds them", "error", err)
			return
		}
		last = now
	}
	for {
		select {
		case <-d.changed:
		case <-stop:
			save()
			return
		}
		t := time.NewTimer(saveEvery)
		select {
		case <-t.C:
			save()
		case <-stop:
			t.Stop()
			save()
			return
		}
	}
}
