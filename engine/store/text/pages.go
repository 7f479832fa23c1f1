package text

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"searchmcp/engine/memory"
)

// dropEvery is how often the pages of segments are given back while a lot is written or read: each time costs some
// milliseconds, and within two seconds no more than some tens of megabytes are touched.
const dropEvery = 2 * time.Second

// Release gives back the memory that the mapped segments take. All of an index is read while it is made, merged or compared
// with the other stores; without this a process would seem as large as its indexes, and systems that count so would take it
// for a glutton. What is needed again comes from the system's cache.
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

// releaseSometimes is Release while a lot is going on. Its failure is no reason to stop that.
func (x *Index) releaseSometimes() {
	now := time.Now().UnixNano()
	last := x.released.Load()
	if now-last >= int64(dropEvery) && x.released.CompareAndSwap(last, now) {
		_ = x.Release() // memory is as it was
	}
}
