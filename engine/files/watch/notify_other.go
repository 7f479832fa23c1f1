//go:build !windows

package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// notifications is the only fsnotify watcher of the process, because Linux allows a user only 128 inotify instances.
var notifications = notifier{folders: map[string]*notified{}, byID: map[fileID]string{}}

// notifier sends the events of one fsnotify watcher to several subscriptions.
type notifier struct {
	watcherMu sync.Mutex        // locked before mu
	watcher   *fsnotify.Watcher // guarded by watcherMu; nil without watched folders

	mu      sync.Mutex // locked before queue.mu
	folders map[string]*notified
	byID    map[fileID]string
}

type notified struct {
	id    fileID
	users []*subscription
}

// subscription watches single folders.
type subscription struct{ queue *queue }

func openNotify(q *queue) source { return &subscription{q} }

// Add returns errSecondPath if the folder is watched at another path, because inotify reports only the first path.
func (s *subscription) Add(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil {
		return err
	}
	n, id := &notifications, fileIDOf(fi)
	n.watcherMu.Lock()
	defer n.watcherMu.Unlock()
	if err := n.open(); err != nil {
		return err
	}
	if other, ok := n.byID[id]; ok && other != dir {
		if fi, err := os.Stat(other); err == nil && fileIDOf(fi) == id {
			return errSecondPath
		}
		_ = n.watcher.Remove(other) // the folder was moved
	}
	n.register(dir, id, s)
	if err := n.watcher.Add(dir); err != nil {
		n.remove(dir, s)
		return err
	}
	return nil
}

func (n *notifier) open() error {
	if n.watcher != nil {
		return nil
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("open file notifications: %w", err)
	}
	n.watcher = w
	go n.route(w)
	return nil
}

func (n *notifier) register(dir string, id fileID, s *subscription) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f := n.folders[dir]
	if f == nil {
		f = &notified{}
		n.folders[dir] = f
	}
	if n.byID[f.id] == dir {
		delete(n.byID, f.id)
	}
	f.id, n.byID[id] = id, dir
	if !slices.Contains(f.users, s) {
		f.users = append(f.users, s)
	}
}

// remove ends the watch of dir. The caller must hold n.watcherMu.
func (n *notifier) remove(dir string, s *subscription) {
	n.mu.Lock()
	f := n.folders[dir]
	if f == nil {
		n.mu.Unlock()
		return
	}
	f.users = slices.DeleteFunc(f.users, func(user *subscription) bool { return user == s })
	unused := len(f.users) == 0
	if unused {
		delete(n.folders, dir)
		if n.byID[f.id] == dir {
			delete(n.byID, f.id)
		}
	}
	n.mu.Unlock()
	if unused && n.watcher != nil {
		_ = n.watcher.Remove(dir) // fails if the folder was removed
	}
	if len(n.folders) == 0 {
		n.close()
	}
}

func (n *notifier) close() {
	if n.watcher != nil {
		_ = n.watcher.Close()
		n.watcher = nil
	}
}

func (s *subscription) Remove(dir string) error {
	notifications.watcherMu.Lock()
	defer notifications.watcherMu.Unlock()
	notifications.remove(dir, s)
	return nil
}

func (s *subscription) Close() error {
	n := &notifications
	n.watcherMu.Lock()
	defer n.watcherMu.Unlock()
	for dir, f := range n.folders { // only written with watcherMu locked
		if slices.Contains(f.users, s) {
			n.remove(dir, s)
		}
	}
	return nil
}

// route sends each event to the subscriptions of its path and of the parent folder.
func (n *notifier) route(w *fsnotify.Watcher) {
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			n.mu.Lock()
			for _, dir := range []string{e.Name, filepath.Dir(e.Name)} {
				if f := n.folders[dir]; f != nil {
					for _, s := range f.users {
						s.queue.event(e)
					}
				}
			}
			n.mu.Unlock()
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, syscall.EINVAL) { // the watch's folder was removed
				n.fail(w, err)
			}
		}
	}
}

// fail sends err to all subscriptions. Any error except an overflow closes w.
func (n *notifier) fail(w *fsnotify.Watcher, err error) {
	n.mu.Lock()
	for _, f := range n.folders {
		for _, s := range f.users {
			s.queue.fail(err)
		}
	}
	n.mu.Unlock()
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		return
	}
	go func() {
		n.watcherMu.Lock()
		defer n.watcherMu.Unlock()
		if n.watcher == w {
			n.close()
		}
	}()
}
