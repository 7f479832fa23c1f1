// Package activity records the calls of assistants and the events of indexes, to show them to the user. A setting
// disables the recording.
//
// The package starts no goroutines. Log.mu is a leaf.
package activity
