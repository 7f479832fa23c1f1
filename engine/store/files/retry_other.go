//go:build !windows

package files

// retryLocked calls do once, because other systems than Windows rename and remove open files.
func retryLocked(do func() error) error { return do() }
