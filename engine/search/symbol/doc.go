// Package symbol finds the definitions and uses of a name: in one file by its syntax tree (Extract), and between files
// by which of several definitions a use most likely means (Resolver). It is syntax, not types: what a receiver is, is
// guessed by what the same file says of it.
//
// It must not know the index, which files there are, or how an answer is shown. Trees come from package chunk; without
// one, words outside of comments are found by lines.
//
// Goroutines: none are started. No locks of its own. A Resolver belongs to one goroutine.
package symbol
