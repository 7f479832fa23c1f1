package store

import (
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// sizeCache remembers how large the index is on disk.
type sizeCache struct {
	mu    sync.Mutex // guards all below
	taken time.Time
	all   int64
	docs  int64
}

// sizeAge is how old a size may be: a person sees no difference, and a folder of a thousand files is not walked for every event.
const sizeAge = 5 * time.Second

func (z *sizeCache) get(s *Store) (all, docs int64) {
	z.mu.Lock()
	all, docs, fresh := z.all, z.docs, time.Since(z.taken) < sizeAge
	if !fresh {
		z.taken = time.Now() // others take the old figure meanwhile
	}
	z.mu.Unlock()
	if fresh {
		return all, docs
	}
	all = diskSize(s.dir)
	for _, name := range layouts[api.CorpusDocs].names() {
		docs += diskSize(filepath.Join(s.dir, name))
	}
	z.mu.Lock()
	z.all, z.docs = all, docs
	z.mu.Unlock()
	return all, docs
}

// expire makes the next get look: what it says is about to be written down.
func (z *sizeCache) expire() {
	z.mu.Lock()
	z.taken = time.Time{}
	z.mu.Unlock()
}

// diskSize sums the files below a path. Files that go while it looks count as nothing.
func diskSize(path string) (sum int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { // only visit returns errors, and it returns none
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
