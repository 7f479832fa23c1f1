// Package activity records the calls of assistants and the events of indexes for the user; a setting disables it.
//
// It starts no goroutine: Follow runs in its caller's. Log.mu is a leaf.
package activity
