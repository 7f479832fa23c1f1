package text

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// Deleted returns how many rows are deleted and still on disk: a segment keeps them until it is merged.
func (x *Index) Deleted() (int, error) {
	r, err := x.reader()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return deleted(r), nil
}

func deleted(r any) int {
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return 0
	}
	n := 0
	for _, s := range snapshot.Segments() {
		n += int(s.FullSize()) - int(s.Count())
	}
	return n
}

// Purge merges all segments to one, so that nothing of deleted rows is left on disk when it returns. Searches and
// changes go on meanwhile; what they delete may be left.
func (x *Index) Purge(ctx context.Context) error {
	if n, err := x.Deleted(); err != nil || n == 0 {
		return err
	}
	x.mu.RLock()
	idx, _ := x.idx.(*scorch.Scorch)
	x.mu.RUnlock()
	if idx == nil {
		return ErrClosed
	}
	x.startReleasing()
	done := make(chan error, 1)
	go func() {
		done <- x.guard("merge text index", func() error { return idx.ForceMerge(ctx, nil) })
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("merge text index: %w", err)
		}
	case <-x.failed:
		return fmt.Errorf("merge text index: %w", x.dead())
	}
	return ctx.Err()
}
