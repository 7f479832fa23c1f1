package policy

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// kept are the data folders of this process. Every write to an index would be a change of a file in it if one were
// read.
var kept struct {
	mu   sync.RWMutex // leaf
	dirs []string
}

// KeepOut has no policy read a data folder, wherever it lies.
func KeepOut(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if abs = norm.NFC.String(abs); !slices.Contains(kept.dirs, abs) {
		kept.dirs = append(kept.dirs, abs)
	}
}

// ownData reports whether a folder of the root is a data folder; the root itself, "", also where it lies in one.
func (p *Policy) ownData(key string) bool {
	kept.mu.RLock()
	defer kept.mu.RUnlock()
	for _, dir := range kept.dirs {
		here := norm.NFC.String(filepath.Join(p.root, filepath.FromSlash(key)))
		if here == dir || p.fold && strings.EqualFold(here, dir) ||
			key == "" && strings.HasPrefix(here, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// Names in a data folder of Search MCP.
const (
	lockOfData    = "app.lock"
	indexesOfData = "indexes"
)

// holdsData reports whether d is a data folder, of this app or another: it has the lock file and the folder of indexes.
func (d *folder) holdsData() bool {
	lock, err := d.root.Lstat(lockOfData)
	if err != nil || !lock.Mode().IsRegular() {
		return false
	}
	indexes, err := d.root.Lstat(indexesOfData)
	return err == nil && indexes.IsDir()
}
