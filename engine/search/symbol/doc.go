// Package symbol finds the definitions and uses of a name. Extract finds them in one file. Judge decides which of
// several definitions a use most likely refers to.
//
// Both use syntax, not a type checker. They infer the type of a receiver, such as s in "s.close()", from the same file.
//
// Package symbol must not depend on the index, the list of files, or the format of an answer. Package chunk parses
// files. In files without a parser, names are found line by line.
//
// The package starts no goroutines and has no locks. A Judge belongs to one goroutine.
package symbol
