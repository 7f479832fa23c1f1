//go:build !linux

package memory

// dropCode does nothing: elsewhere the pages of libraries do not count as a process's own.
func dropCode() error { return nil }
