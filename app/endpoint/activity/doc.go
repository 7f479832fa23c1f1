// Package activity records the calls of assistants and the events of indexes for the user. A setting disables it.
//
// It starts no goroutine. Log.mu is a leaf.
package activity
