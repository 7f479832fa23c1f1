//go:build !linux

package memory

// EvictFiles does nothing, for the same reason as evictCode.
func EvictFiles(map[string]bool) error { return nil }

// evictCode does nothing: elsewhere the pages of libraries do not count as a process's own.
func evictCode() error { return nil }
