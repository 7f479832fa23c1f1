//go:build !linux

package memory

// DropFiles does nothing, for the same reason as dropCode.
func DropFiles(map[string]bool) error { return nil }

// dropCode does nothing: elsewhere the pages of libraries do not count as a process's own.
func dropCode() error { return nil }
