// Package activity records the calls of assistants and the events of indexes for the user; a setting disables it.
//
// Goroutines: none; Follow runs in the caller's. Locks: Log.mu is a leaf.
package activity
