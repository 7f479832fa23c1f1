//go:build !windows && (!darwin || !cgo)

package watch

// openTree returns a source for single folders. The macOS app is built with cgo and uses FSEvents.
func openTree() (source, error) { return openNotify() }
