//go:build !linux

package tray

func probe() error { return nil }

// Host reports whether the desktop has a place for icons; these always have.
func Host() bool { return true }
