// Package symbol finds the definitions and uses of a name: in one file by its syntax tree (Extract), and between
// files by judging which of several definitions a use most likely means (Judge). It uses syntax, not types: the
// type of a receiver is inferred from the same file.
//
// It must not know the index, the list of files, or the form of an answer. Trees come from package chunk; without
// one, names outside of comments are found by lines.
//
// Goroutines: none are started. No locks of its own. A Judge belongs to one goroutine.
package symbol
