// Package highlight finds the terms of a query in a text. It has no goroutines or locks.
package highlight
