package text

import (
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"searchmcp/engine/host/memory"
)

// dropEvery is how often the pages of segments are given back while a lot is written or read: a merge touches 300 MB of
// them a second, and giving them back takes less than a millisecond. Without it the processes had 423 MB at their peak
// while 118,728 chunks were indexed; with it 348 (make bench, phase large).
const dropEvery = 100 * time.Millisecond

// Release unmaps the resident pages of the segments (MADV_DONTNEED). All of an index is read while it is made, merged
// or compared with the other stores, and mapped pages count as RSS. What is needed again comes from the page cache.
func (x *Index) Release() error {
	r, err := x.reader() // which keeps its segments mapped
	if err != nil {
		return err
	}
	defer r.Close()
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil
	}
	dir, err := filepath.EvalSymlinks(x.dir)
	if err != nil {
		return fmt.Errorf("find folder of text index: %w", err)
	}
	paths := map[string]bool{}
	for _, s := range snapshot.Segments() {
		if p, ok := s.Segment().(interface{ Path() string }); ok { // it is in a file
			paths[filepath.Join(dir, filepath.Base(p.Path()))] = true
		}
	}
	if err := memory.DropFiles(paths); err != nil {
		return fmt.Errorf("release text index: %w", err)
	}
	return nil
}

// releaseSometimes is Release while a lot is read. Its failure is no reason to stop that.
func (x *Index) releaseSometimes() {
	now := time.Now().UnixNano()
	last := x.released.Load()
	if now-last >= int64(dropEvery) && x.released.CompareAndSwap(last, now) {
		_ = x.Release() // memory is as it was
	}
}

// pageReleaser is a goroutine that calls Release every dropEvery while segments are written and merged.
type pageReleaser struct {
	mu      sync.Mutex
	running bool
	until   time.Time // the earliest end, moved by every large change
	ended   chan struct{}
	closing chan struct{}
}

// releaseLinger is how long the page releaser goes on after the last write or merge: longer than the pause between two
// merges.
const releaseLinger = 2 * time.Second

// startReleasing makes sure that the page releaser runs. A merge reads on for minutes after the last change of a large
// project.
func (x *Index) startReleasing() {
	t := &x.releaser
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = time.Now().Add(releaseLinger)
	if t.running {
		return
	}
	select {
	case <-t.closing:
		return
	default:
	}
	t.running, t.ended = true, make(chan struct{})
	go x.releasePages(t.ended)
}

func (x *Index) releasePages(ended chan struct{}) {
	defer close(ended)
	tick := time.NewTicker(dropEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-x.releaser.closing:
			return
		case <-x.failed:
			return
		}
		_ = x.Release() // memory is as it was
		if x.releasingDone() {
			return
		}
	}
}

// releasingDone reports whether the page releaser is to end, and takes note of it.
func (x *Index) releasingDone() bool {
	merging := x.merging()
	t := &x.releaser
	t.mu.Lock()
	defer t.mu.Unlock()
	switch now := time.Now(); {
	case merging:
		t.until = now.Add(releaseLinger)
	case now.After(t.until):
		t.running = false
	}
	return !t.running
}

// merging reports whether segments are being merged.
func (x *Index) merging() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.idx == nil || x.closed {
		return false
	}
	stats := x.idx.StatsMap()
	return stats["TotFileMergeZapBeg"] != stats["TotFileMergeZapEnd"]
}

// stop ends the page releaser for good and waits for it.
func (t *pageReleaser) stop() {
	t.mu.Lock()
	close(t.closing)
	running, ended := t.running, t.ended
	t.mu.Unlock()
	if running {
		<-ended
	}
}
