//go:build !linux

package serve

// sandbox does nothing: other systems than Linux have only the limits.
func sandbox() {}
