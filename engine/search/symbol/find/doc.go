// Package find answers where a name is defined and used in a project. The text index tells which files hold the name,
// the files as they are now tell the rest: each is read through policy and comes with its syntax tree
// (symbol.Documents), so an answer is as new as the disk. One deadline, counted from the question's beginning, governs
// listing, reading and resolving: what there is no time for is left out and counted.
//
// It must not know how files are read, where parsers run, or how an answer is shown.
//
// Goroutines: a few for each call, which end before it returns. Locks: source.mu before sources.mu; files.mu is
// a leaf.
package find
