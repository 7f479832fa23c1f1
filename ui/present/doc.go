// Package present words the state of the app for users: states, numbers, durations, order, confirmations. It is pure:
// no toolkit, clock, goroutines or locks. The window adds no words of its own.
package present
