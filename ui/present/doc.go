// Package present turns what the app knows into what a person reads: states in words, numbers, durations, order, the
// text of questions. It is pure: plain values in, plain values out; no toolkit, no clock of its own, no goroutines, no
// locks. The window draws what it says and adds nothing.
package present
