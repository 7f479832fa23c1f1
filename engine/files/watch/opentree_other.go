//go:build !windows && (!darwin || !cgo)

package watch

// openTree returns sources for single folders, because only the macOS app uses FSEvents.
func openTree(q *queue) sources {
	s := openNotify(q)
	return sources{tree: s, outside: s}
}
