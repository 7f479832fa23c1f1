// Package app is the resident program. It starts and stops the engine and the socket, writes the log, and locks the
// data folder.
//
// It must not index, search or format results. Its tests check the import rules of the whole module (arch_test.go).
//
// All goroutines of Run exit before Run returns. The package has no locks.
package app
