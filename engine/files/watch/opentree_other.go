//go:build !windows && (!darwin || !cgo)

package watch

// openTree opens notifications of single folders. The macOS app is built with cgo, which its menu bar needs, and uses
// FSEvents.
func openTree() (source, error) { return openNotify() }
