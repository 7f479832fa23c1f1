// Package present describes the window's states, numbers, durations and confirmations as text. It imports no toolkit,
// reads no clock, and has no goroutines or locks.
package present
