// Package present contains the window's texts about the app: states, numbers, durations, order, confirmations. It has
// no toolkit, clock, goroutines or locks.
package present
