// Package find finds where a project defines and uses a name.
//
// The text index lists the files that contain the name. These files are read through policy and parsed
// (symbol.Documents), so an answer is never older than the files. A deadline limits the work. The answer counts the
// files that were not read by then.
//
// Package find must not depend on how files are read, where parsers run, or the format of an answer.
//
// The goroutines of a call end before the call returns. source.mu is locked before finder.cacheMu, which is a leaf.
package find
