//go:build !windows

package files

// whileHeld: elsewhere an open file can be renamed and removed.
func whileHeld(do func() error) error { return do() }
