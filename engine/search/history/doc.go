// Package history tells from the commits behind a project's HEAD which files a question is about: what a file was
// changed for says what it does, in the words of people.
//
// It must not know queries, chunks or how much its word weighs: search asks it for files by words. It shows nothing of
// a message to anybody.
//
// # Goroutines
//
// A Source reads in a goroutine of its own, one at a time, which ends with the context that NewSource got.
//
// # Locks
//
// Source.mu guards what was read and when; it is a leaf and not held while commits are read. A Log never changes.
package history
