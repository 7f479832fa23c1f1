package policy

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// excluded contains this process's data folders. Indexing a data folder would change its content, and so never end.
var excluded struct {
	mu   sync.RWMutex // leaf
	dirs []string
}

func Exclude(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	excluded.mu.Lock()
	defer excluded.mu.Unlock()
	if abs = norm.NFC.String(abs); !slices.Contains(excluded.dirs, abs) {
		excluded.dirs = append(excluded.dirs, abs)
	}
}

// ownData reports whether a folder is a data folder of this process. An empty key means the root and all its parents.
func (p *Policy) ownData(key string) bool {
	excluded.mu.RLock()
	defer excluded.mu.RUnlock()
	for _, dir := range excluded.dirs {
		here := norm.NFC.String(filepath.Join(p.root, filepath.FromSlash(key)))
		if here == dir || p.fold && strings.EqualFold(here, dir) ||
			key == "" && strings.HasPrefix(here, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

const (
	lockOfData    = "app.lock"
	indexesOfData = "indexes"
)

// containsData reports whether d looks like a data folder of the app, with a lock file and indexes.
func (d *folder) containsData() bool {
	lock, err := d.root.Lstat(lockOfData)
	if err != nil || !lock.Mode().IsRegular() {
		return false
	}
	indexes, err := d.root.Lstat(indexesOfData)
	return err == nil && indexes.IsDir()
}
