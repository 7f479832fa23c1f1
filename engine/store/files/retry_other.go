//go:build !windows

package files

// retryLocked calls do once. Only Windows can't rename and remove open files.
func retryLocked(do func() error) error { return do() }
