//go:build !windows && !darwin

package watch

// openTree opens notifications for the folders that are added, each by itself.
func openTree() (source, error) { return openNotify() }
