package watch

import (
	"log/slog"
	"slices"
	"sync"
	"time"
)

// DirtyStore persists the dirty paths (RFC 5.7: dirty-files.json). The path "." is the whole project.
type DirtyStore interface {
	Load() ([]string, error)
	Save(paths []string) error
}

// maxDirty bounds the set; above it the whole project counts as dirty. It is the RFC's soft limit on files.
const maxDirty = 50000

// dirty is the set of changed paths that were not released yet: RFC 5.7's dirty files manager. Safe for concurrent use.
type dirty struct {
	mu      sync.Mutex // guards what follows
	paths   map[string]struct{}
	flags   Batch // all fields but Paths
	changed chan struct{}
}

func newDirty() *dirty { return &dirty{paths: map[string]struct{}{}, changed: make(chan struct{}, 1)} }

// add takes a batch that is neither RootGone nor Back.
func (d *dirty) add(b Batch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range b.Paths { // counted though the whole project is compared: pending is what people are told
		if len(d.paths) <= maxDirty {
			d.paths[p] = struct{}{}
		}
	}
	b.Paths = nil
	b.Rescan = b.Rescan || len(d.paths) > maxDirty
	d.flags = d.flags.join(b)
	wake(d.changed)
}

// peek returns everything as one batch.
func (d *dirty) peek() Batch {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.flags
	if !b.Rescan {
		b.Paths = d.sorted()
	}
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

// clear empties the set after it was taken.
func (d *dirty) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.paths)
	d.flags = Batch{}
	wake(d.changed)
}

// pending counts the dirty paths; whole says that the whole project is dirty.
func (d *dirty) pending() (paths int, whole bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.paths), d.flags.Rescan
}

// persisted is the set as a DirtyStore keeps it.
func (d *dirty) persisted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flags.Rescan {
		return []string{"."}
	}
	if d.flags.Ignore {
		return append([]string{"."}, d.sorted()...)
	}
	return d.sorted()
}

// load adds the persisted set. If it can't be read, the whole project is dirty.
func (d *dirty) load(s DirtyStore, log *slog.Logger) {
	paths, err := s.Load()
	if err != nil {
		log.Warn("dirty files can't be read; the whole project will be compared", "err", err)
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

// saveEvery bounds how often the set is written; the pass at start finds what a crash loses.
const saveEvery = time.Second

// saveLoop writes the set after changes, until stop is closed, then a last time.
func (d *dirty) saveLoop(s DirtyStore, log *slog.Logger, stop <-chan struct{}) {
	var last []string
	save := func() {
		now := d.persisted()
		if slices.Equal(now, last) {
			return
		}
		if err := s.Save(now); err != nil {
			log.Warn("dirty files can't be saved; after a crash the pass at start finds them", "err", err)
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
