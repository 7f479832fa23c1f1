// Package fsevents calls FSEvents, macOS's notifications of whole trees (CoreServices, FSEvents.h), without cgo.
//
// It owns the calls of C and their memory. It must not know what the flags of an event mean, nor who wants them:
// engine/watch decides that. The package compiles on Linux too, where its tests call a library of the same functions
// and no program has it.
//
// # Goroutines
//
// None of its own. A stream's events come on a thread of the system's, one call at a time for each stream.
//
// # Locks
//
// handlers.mu is a leaf: it is not held while a handler runs.
package fsevents
