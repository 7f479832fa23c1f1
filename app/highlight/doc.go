// Package highlight finds the terms of a query in a text, with the same result at a terminal and in the window. It is
// pure: it imports neither colours nor results, starts no goroutines and has no locks.
package highlight
