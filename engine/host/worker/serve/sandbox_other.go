//go:build !linux

package serve

// sandbox does nothing, because systems other than Linux only have the limits.
func sandbox() {}
