// Package highlight finds the terms of a query in a text, for the terminal and the window. It starts no goroutines and
// has no locks.
package highlight
