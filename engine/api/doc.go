// Package api defines the types, error codes and texts that all other packages share. It contains plain data and no
// logic, goroutines or locks, and imports only the standard library.
package api
