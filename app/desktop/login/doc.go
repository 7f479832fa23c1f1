// Package login starts a program when the user signs in, in each system's way: a desktop entry, a launchd agent, a
// registry value. All belong to the user and need no administrator.
//
// It must not depend on the program or the caller. It has no goroutines and no locks.
package login
