//go:build !linux && !windows

package machine

// LowerPriority does nothing, because macOS runs threads of low priority only on the slow cores.
func LowerPriority() error { return nil }
