//go:build !linux && !windows

package machine

// macOS has only a background class, which restricts a thread to the small cores.
func LowerPriority() error { return nil }
