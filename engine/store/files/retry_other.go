//go:build !windows

package files

// retryLocked calls do once: other systems rename and remove open files.
func retryLocked(do func() error) error { return do() }
