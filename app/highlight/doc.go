// Package highlight finds the terms of a query in text. It has no goroutines or locks.
package highlight
