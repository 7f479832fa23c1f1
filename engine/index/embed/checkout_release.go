//go:build release

package embed

// sourceTrees are none for a release: a folder above it may be another user's.
func sourceTrees() []string { return nil }
