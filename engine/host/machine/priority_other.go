//go:build !linux && !windows

package machine

// LowerPriority does nothing. macOS offers only its background class, which restricts a thread to the small cores.
func LowerPriority() error { return nil }
