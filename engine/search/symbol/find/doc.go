// Package find finds where a name is defined and used in a project. The text index lists the files that contain the
// name. They are read in their current state through policy and parsed (symbol.Documents), so an answer is never older
// than the files. A deadline limits the work. Files that were not read by then are counted.
//
// It must not know how files are read, where parsers run, or the form of an answer.
//
// Each call starts a few goroutines, which end before it returns. source.mu is locked before sources.mu, which is a
// leaf.
package find
