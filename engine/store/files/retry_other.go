//go:build !windows

package files

// retryLocked calls do once. Only on Windows, open files can't be renamed and removed.
func retryLocked(do func() error) error { return do() }
