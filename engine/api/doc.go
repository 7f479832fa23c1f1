// Package api defines the types, error codes and texts that all other packages share. It has no goroutines or locks,
// and imports only the standard library.
package api
