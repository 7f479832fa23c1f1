// Package activity records the calls of assistants and the events of indexes for the user. It contains queries, so it
// is in memory only, unless the user keeps it on disk for a week; a setting disables it.
//
// It must not import tools or sessions. Goroutines: none; Follow runs in the caller's. Locks: Log.mu is a leaf.
package activity
