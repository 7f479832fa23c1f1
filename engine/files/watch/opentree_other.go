//go:build !windows && (!darwin || !cgo)

package watch

// openTree returns a source that watches each folder with fsnotify.
func openTree(q *queue) sources {
	s := openNotify(q)
	return sources{tree: s, outside: s, onShare: onShare}
}
