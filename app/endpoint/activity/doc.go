// Package activity records the calls of assistants and the events of indexes, to show them to the user. A setting
// disables the recording.
//
// The package starts no goroutines. No other lock is acquired under Log.mu.
package activity
