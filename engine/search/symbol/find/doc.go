// Package find finds where a name is defined and used in a project. The text index lists the files that contain the
// name. They are read in their current state through policy and parsed (symbol.Documents), so an answer is as new as
// the disk. One deadline for the whole question bounds listing, reading and resolving. Files beyond it are skipped and
// counted.
//
// It must not know how files are read, where parsers run, or the form of an answer.
//
// Goroutines: a few for each call, which end before it returns. Locks: source.mu before sources.mu; files.mu is a
// leaf.
package find
