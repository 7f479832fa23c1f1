// Package history finds files by the messages of the commits that changed them, because the messages describe files in
// natural language.
//
// It must not depend on queries, chunks or the use of its scores. It does not expose messages.
//
// # Goroutines
//
// A Source reads commits in a goroutine, one at a time. The goroutine ends with the context of NewSource.
//
// # Locks
//
// Source.mu guards the result of the last read. It is a leaf and is never held while commits are read. A Log never
// changes.
package history
