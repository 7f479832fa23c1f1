// Package symbol finds the definitions and uses of a name. Extract finds them in one file. Judge decides which of
// several definitions a use most likely refers to. Both use syntax, not a type checker. They infer the type of a
// receiver from the file that contains it.
//
// It must not depend on the index, the list of files, or the form of an answer. Trees come from package chunk. Without
// a tree, names are found line by line.
//
// It starts no goroutines and has no locks. A Judge belongs to one goroutine.
package symbol
