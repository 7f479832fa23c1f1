//go:build !windows

package files

// retryLocked calls do once, because only Windows refuses to rename and remove open files.
func retryLocked(do func() error) error { return do() }
