package text

import (
	"fmt"
	"path/filepath"

	"searchmcp/engine/host/memory"
)

// Release unmaps the resident pages of the segments (MADV_DONTNEED). All of an index is read while it is made, merged
// or compared with the other stores, and mapped pages count as RSS. What is needed again comes from the page cache.
func (x *Index) Release() error {
	r, err := x.reader() // which keeps its segments mapped
	if err != nil {
		return err
	}
	defer r.Close()
	dir, err := filepath.EvalSymlinks(x.dir)
	if err != nil {
		return fmt.Errorf("find folder of text index: %w", err)
	}
	paths := map[string]bool{}
	for _, s := range r.Segments() {
		if p, ok := s.Segment().(interface{ Path() string }); ok { // it is in a file
			paths[filepath.Join(dir, filepath.Base(p.Path()))] = true
		}
	}
	if err := memory.EvictFiles(paths); err != nil {
		return fmt.Errorf("release text index: %w", err)
	}
	return nil
}
