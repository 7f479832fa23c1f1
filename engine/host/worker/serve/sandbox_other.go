//go:build !linux

package serve

// sandbox gives up what this process doesn't need. Elsewhere than on Linux it has its limits alone.
func sandbox() {}
