// Package highlight finds the terms of a query in a text, for a terminal and the window. It is pure: it starts no
// goroutines and has no locks.
package highlight
