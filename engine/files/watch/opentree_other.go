//go:build !windows && (!darwin || !cgo)

package watch

// openTree opens notifications for the folders that are added, each by itself. The app for macOS is built with cgo, as
// its menu bar is C, and has FSEvents.
func openTree() (source, error) { return openNotify() }
