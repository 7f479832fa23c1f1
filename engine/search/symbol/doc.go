// Package symbol finds the definitions and uses of a name. Extract finds them in one file with its syntax tree. Judge
// decides between files which of several definitions a use most likely means. It uses syntax, not types: the type of a
// receiver is inferred from the same file.
//
// It must not know the index, the list of files, or the form of an answer. Trees come from package chunk. Without a
// tree, names outside of comments are found line by line.
//
// Goroutines: none are started. No locks of its own. A Judge belongs to one goroutine.
package symbol
