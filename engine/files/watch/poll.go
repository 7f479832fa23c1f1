package watch

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	pollInterval = 10 * time.Second
	// pollDuty limits polling to 5 % of a core. A pause is 20 times as long as the polling before, or longer.
	pollDuty        = 20
	maxPollInterval = 10 * time.Minute
)

type stamp struct {
	size  int64
	mtime int64 // in nanoseconds
	id    fileID
	mode  fs.FileMode
}

// stampOf omits a folder's size and time, because its entries are compared anyway.
func stampOf(fi fs.FileInfo) stamp {
	s := stamp{id: fileIDOf(fi), mode: fi.Mode()}
	if !fi.IsDir() {
		s.size, s.mtime = fi.Size(), fi.ModTime().UnixNano()
	}
	return s
}

func stamps(entries []fs.DirEntry) map[string]stamp {
	m := make(map[string]stamp, len(entries))
	for _, e := range entries {
		if fi, err := e.Info(); err == nil {
			m[e.Name()] = stampOf(fi)
		}
	}
	return m
}

type change struct {
	rel string
	op  fsnotify.Op
}

// poll returns the changes in folders without a watch and on network shares. Folders without a watch are first watched
// if the system now allows more watches.
func (t *tree) poll(ctx context.Context) []change {
	t.exhausted = nil
	var found []change
	t.pollBelow(ctx, t.rootDir, ".", &found)
	return found
}

func (t *tree) pollBelow(ctx context.Context, d *dir, rel string, found *[]change) {
	if ctx.Err() != nil {
		return
	}
	if d.isPolled() {
		*found = append(*found, t.pollFolder(d, rel)...)
	}
	for name, k := range d.children {
		t.pollBelow(ctx, k, join(rel, name), found)
	}
}

func (t *tree) pollFolder(d *dir, rel string) []change {
	old := d.stamps
	if err := t.watch(d, t.abs(rel), t.byID[d.id] != d && d.id != (fileID{})); err != nil {
		return []change{{rel, fsnotify.Remove}}
	}
	entries, err := os.ReadDir(t.abs(rel))
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			t.handleUnwatchable(d, err)
		}
		return []change{{rel, fsnotify.Remove}}
	}
	now := stamps(entries)
	if d.isPolled() {
		d.stamps = now
	}
	return diffStamps(rel, old, now)
}

func diffStamps(rel string, old, now map[string]stamp) []change {
	var found []change
	for name, n := range now {
		if o, ok := old[name]; !ok {
			found = append(found, change{join(rel, name), fsnotify.Create})
		} else if o != n {
			found = append(found, change{join(rel, name), changeOp(o, n)})
		}
	}
	for name := range old {
		if _, ok := now[name]; !ok {
			found = append(found, change{join(rel, name), fsnotify.Remove})
		}
	}
	return found
}

func changeOp(o, n stamp) fsnotify.Op {
	if o.id != n.id || o.mode.Type() != n.mode.Type() {
		return fsnotify.Remove | fsnotify.Create
	}
	if o.mode != n.mode && o.size == n.size && o.mtime == n.mtime {
		return fsnotify.Chmod
	}
	return fsnotify.Write
}

func jitter(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1)
}
