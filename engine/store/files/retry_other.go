//go:build !windows

package files

// Only Windows refuses to rename and remove open files.
func retryLocked(do func() error) error { return do() }
