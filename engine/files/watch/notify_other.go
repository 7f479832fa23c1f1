//go:build !windows

package watch

import (
	"fmt"

	"github.com/fsnotify/fsnotify"
)

type notify struct{ *fsnotify.Watcher }

func openNotify() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("open file notifications: %w", err)
	}
	return notify{w}, nil
}

func (n notify) Events() <-chan fsnotify.Event { return n.Watcher.Events }
func (n notify) Errors() <-chan error          { return n.Watcher.Errors }
