//go:build !linux && !windows

package machine

// LowerPriority leaves the thread alone. What macOS gives without C is its background class, which keeps a thread
// on the small cores even when nobody else wants the large ones.
func LowerPriority() error { return nil }
