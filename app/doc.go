// Package app is the resident program. It connects the engine to the socket and owns the order of start and stop, the
// app's log, and the lock on the data folder.
//
// It must not index, search or format results. Its tests check the import rules of the whole module (arch_test.go).
//
// All goroutines of Run exit before Run returns. The package has no locks.
package app
