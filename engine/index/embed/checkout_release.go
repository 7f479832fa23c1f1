//go:build release

package embed

// sourceTrees returns nil in a release, because a folder above the executable may belong to another user.
func sourceTrees() []string { return nil }
