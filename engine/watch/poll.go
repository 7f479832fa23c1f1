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
	// pollEvery is how often folders without a watch are looked at: often enough that a person finds the index fresh.
	pollEvery = 10 * time.Second
	// pollShare bounds the cost: a round that took d is followed by a pause of at least 20 d (5 % of one core).
	pollShare = 20
	// pollSlowest bounds the pause where a round takes long.
	pollSlowest = 10 * time.Minute
)

// stamp is what polling compares of an entry.
type stamp struct {
	size  int64
	mtime int64 // nanoseconds
	id    ident
	mode  fs.FileMode
}

// stampOf leaves out a folder's size and time: they follow its entries, which are looked at themselves.
func stampOf(fi fs.FileInfo) stamp {
	s := stamp{id: identOf(fi), mode: fi.Mode()}
	if !fi.IsDir() {
		s.size, s.mtime = fi.Size(), fi.ModTime().UnixNano()
	}
	return s
}

func stamps(entries []fs.DirEntry) map[string]stamp {
	m := make(map[string]stamp, len(entries))
	for _, e := range entries {
		if fi, err := e.Info(); err == nil { // an error: gone since the folder was read
			m[e.Name()] = stampOf(fi)
		}
	}
	return m
}

// change is one finding of polling, in the source's terms.
type change struct {
	rel string
	op  fsnotify.Op
}

// poll looks at every polled folder once, having tried to get a watch for it first: a limit may have been lifted.
func (t *tree) poll(ctx context.Context) []change {
	t.exhausted = nil
	var found []change
	t.pollBelow(ctx, t.top, ".", &found)
	return found
}

func (t *tree) pollBelow(ctx context.Context, d *dir, rel string, found *[]change) {
	if ctx.Err() != nil {
		return
	}
	if d.how == polled {
		*found = append(*found, t.look(d, rel)...)
	}
	for name, k := range d.kids {
		t.pollBelow(ctx, k, join(rel, name), found)
	}
}

// look compares a polled folder with what it held. If it gets a watch now, this is its last look, after the watch.
func (t *tree) look(d *dir, rel string) []change {
	old := d.seen
	if err := t.watch(d, t.abs(rel), t.byID[d.id] != d && d.id != (ident{})); err != nil {
		return []change{{rel, fsnotify.Remove}}
	}
	entries, err := os.ReadDir(t.abs(rel))
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			t.leave(d, err)
		}
		return []change{{rel, fsnotify.Remove}}
	}
	now := stamps(entries)
	if d.how == polled {
		d.seen = now
	}
	return differences(rel, old, now)
}

func differences(rel string, old, now map[string]stamp) []change {
	var found []change
	for name, n := range now {
		if o, ok := old[name]; !ok {
			found = append(found, change{join(rel, name), fsnotify.Create})
		} else if o != n {
			found = append(found, change{join(rel, name), differs(o, n)})
		}
	}
	for name := range old {
		if _, ok := now[name]; !ok {
			found = append(found, change{join(rel, name), fsnotify.Remove})
		}
	}
	return found
}

func differs(o, n stamp) fsnotify.Op {
	if o.id != n.id || o.mode.Type() != n.mode.Type() {
		return fsnotify.Remove | fsnotify.Create
	}
	if o.mode != n.mode && o.size == n.size && o.mtime == n.mtime {
		return fsnotify.Chmod
	}
	return fsnotify.Write
}

// pollPause is the time to the next round. The jitter keeps many roots from being looked at in the same moment.
func pollPause(took time.Duration) time.Duration {
	d := min(max(pollEvery, pollShare*took), pollSlowest)
	return jitter(d)
}

// jitter returns d, a tenth more or less.
func jitter(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1)
}
