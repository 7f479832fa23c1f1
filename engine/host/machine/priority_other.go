//go:build !linux && !windows

package machine

// LowerPriority does nothing. The only lower class on macOS is background, which restricts a thread to the efficiency
// cores.
func LowerPriority() error { return nil }
