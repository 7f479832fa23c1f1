//go:build !linux && !windows

package machine

// LowerPriority does nothing. Without C macOS offers only its background class, which restricts a thread to the small
// cores even if the large ones are idle.
func LowerPriority() error { return nil }
