//go:build !windows && (!darwin || !cgo)

package watch

// openTree returns a source for single folders, because only the macOS app uses FSEvents.
func openTree() (source, error) { return openNotify() }
