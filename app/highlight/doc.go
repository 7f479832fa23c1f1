// Package highlight decides which words of a text are marked for a question: the same ones at a terminal and in the
// window. It is pure: it knows neither colours nor results, runs no goroutines and has no locks.
package highlight
