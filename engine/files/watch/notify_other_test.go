//go:build !windows

package watch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fsnotify/fsnotify"
)

func (s *subscription) WatchList() []string {
	n := &notifications
	n.watcherMu.Lock()
	defer n.watcherMu.Unlock()
	if n.watcher == nil {
		return nil
	}
	return slices.DeleteFunc(n.watcher.WatchList(), func(dir string) bool {
		f := n.folders[dir]
		return f == nil || !slices.Contains(f.users, s)
	})
}

func TestSharedWatcher(t *testing.T) {
	top := t.TempDir()
	inner, link := filepath.Join(top, "inner"), filepath.Join(t.TempDir(), "link")
	must(t, errors.Join(os.Mkdir(inner, 0o700), os.Symlink(inner, link)))
	a, b := newQueue(100), newQueue(100)
	outer, nested := openNotify(a), openNotify(b)
	must(t, errors.Join(outer.Add(top), outer.Add(inner), nested.Add(inner), nested.Add(inner)))
	if err := nested.Add(link); !errors.Is(err, errSecondPath) {
		t.Errorf("the same folder at another path: %v", err)
	}
	write(t, filepath.Join(inner, "a.go"), "1")
	reported(t, a, filepath.Join(inner, "a.go"), fsnotify.Create)
	reported(t, b, filepath.Join(inner, "a.go"), fsnotify.Create)
	must(t, outer.Remove(inner))
	write(t, filepath.Join(inner, "b.go"), "1")
	reported(t, b, filepath.Join(inner, "b.go"), fsnotify.Create)

	moved := filepath.Join(top, "moved")
	must(t, os.Rename(inner, moved))
	reported(t, b, inner, fsnotify.Rename)
	must(t, errors.Join(outer.Add(moved), nested.Remove(inner)))
	write(t, filepath.Join(moved, "c.go"), "1")
	reported(t, a, filepath.Join(moved, "c.go"), fsnotify.Create)
	must(t, os.RemoveAll(moved))
	reported(t, a, moved, fsnotify.Remove)

	must(t, nested.Add(top))
	notifications.fail(notifications.watcher, fsnotify.ErrEventOverflow)
	for _, q := range []*queue{a, b} {
		if _, overflow, err := q.take(); !overflow || err != nil {
			t.Errorf("overflow %v, error %v", overflow, err)
		}
	}
	failed := notifications.watcher
	notifications.fail(failed, errDead)
	if _, _, err := b.take(); !errors.Is(err, errDead) {
		t.Errorf("error %v", err)
	}
	for range failed.Events {
	}
	must(t, nested.Add(top))
	write(t, filepath.Join(top, "d.go"), "1")
	reported(t, b, filepath.Join(top, "d.go"), fsnotify.Create)
	must(t, errors.Join(outer.Close(), nested.Close()))
	if notifications.watcher != nil || len(notifications.byID) > 0 {
		t.Error("the watcher is still open")
	}
}
