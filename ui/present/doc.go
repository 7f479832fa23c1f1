// Package present provides the window's texts and their order: states, numbers, durations and confirmations. It imports
// no toolkit, reads no clock, and has no goroutines or locks.
package present
