// Package login starts a program when the user logs in, through a desktop entry, a launchd agent or a registry value.
//
// It has no goroutines or locks.
package login

// QuietFlag makes the app start without a message or a window.
const QuietFlag = "-quiet"
