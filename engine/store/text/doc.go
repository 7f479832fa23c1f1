// Package text implements one corpus's text index. It stores the words of each chunk and the chunks themselves, so that
// results don't require reading source files. It is the only importer of bleve and uses only its segment store
// (scorch). It has its own analysis, which splits identifiers into words, and its own scoring and filters.
//
// It must not depend on fingerprints or vectors. It doesn't know which rows are current, so the caller of Search
// filters the candidates.
//
// # Goroutines
//
// For each index, scorch runs three goroutines, which end with Close or Suspend, and one for an unused analysis queue.
// Apply, Search and Chunks start goroutines on several cores and wait for them.
//
// # Locks
//
// Index.mu guards the handle. Readers lock it only while they take a snapshot. Only Suspend and reopening lock it over
// I/O.
package text
