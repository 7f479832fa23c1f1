package text

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// Deleted returns the number of deleted rows that are still on disk.
func (x *Index) Deleted() (int, error) {
	_, deleted, err := x.size()
	return deleted, err
}

func (x *Index) size() (segments, deleted int, err error) {
	r, err := x.reader()
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	for _, s := range r.Segments() {
		deleted += int(s.FullSize()) - int(s.Count())
	}
	return len(r.Segments()), deleted, nil
}

const (
	settleTimeout = 10 * time.Second // how long Purge waits for searches that read merged files
	settlePause   = 20 * time.Millisecond
)

// Purge merges all segments into one, which removes deleted rows from disk. Searches continue. If a search reads old
// files for longer than settleTimeout, Purge returns an error. Purge must not run during a write.
func (x *Index) Purge(ctx context.Context) error {
	segments, deleted, err := x.size()
	if err != nil {
		return err
	}
	if deleted > 0 {
		if err := x.merge(ctx, segments); err != nil {
			return err
		}
	}
	// The library removes unneeded files only when it writes.
	for began := time.Now(); ; {
		stale, err := x.stale()
		if err != nil || stale <= 0 {
			return err
		}
		if time.Since(began) > settleTimeout {
			return fmt.Errorf("merge text index: %d replaced files are still being read", stale)
		}
		batch := index.NewBatch()
		batch.SetInternal(purgedKey, nil)
		if err := x.commit(ctx, batch); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(settlePause):
		}
	}
}

var purgedKey = []byte("purged") // key of an entry that is written only to trigger a write

func (x *Index) stale() (int, error) {
	segments, _, err := x.size()
	if err != nil {
		return 0, err
	}
	names, err := filepath.Glob(filepath.Join(x.dir, "*.zap"))
	return len(names) - segments, err
}

// fillerPath is the path of the row that merge adds. Paths of files never begin with a slash.
const fillerPath = "/"

// merge merges all segments into one. The library leaves an index of one segment as it is, so merge first adds
// another row.
func (x *Index) merge(ctx context.Context, segments int) error {
	if segments == 1 {
		batch := index.NewBatch()
		batch.Update(newMarker(fillerPath, ""))
		if err := x.commit(ctx, batch); err != nil {
			return err
		}
	}
	x.mu.RLock()
	idx, _ := x.idx.(*scorch.Scorch)
	x.mu.RUnlock()
	if idx == nil {
		return ErrClosed
	}
	if err := x.write("merge text index", func() error { return idx.ForceMerge(ctx, nil) }); err != nil {
		return err
	}
	return ctx.Err()
}
