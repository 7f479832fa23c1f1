package store

import (
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"searchmcp/engine/api"
)

type sizeCache struct {
	mu       sync.Mutex
	measured time.Time
	all      int64
	docs     int64
}

const sizeAge = 5 * time.Second

func (z *sizeCache) get(s *Store) (all, docs int64) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if time.Since(z.measured) >= sizeAge {
		z.measured, z.docs = time.Now(), 0
		for _, name := range layouts[api.CorpusDocs].names() {
			z.docs += diskSize(filepath.Join(s.dir, name))
		}
		z.all = max(z.docs, diskSize(s.dir)) // files may have shrunk since docs was measured
	}
	return z.all, z.docs
}

func (z *sizeCache) expire() {
	z.mu.Lock()
	z.measured = time.Time{}
	z.mu.Unlock()
}

// diskSize returns the total size of the files in path. It ignores files that it can't read.
func diskSize(path string) (sum int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
