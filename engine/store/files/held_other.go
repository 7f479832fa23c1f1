//go:build !windows

package files

// whileHeld calls do once: other systems rename and remove open files.
func whileHeld(do func() error) error { return do() }
