// Package text owns one corpus's text index. It stores the words of each chunk and the chunks themselves, so results
// don't require reading the source file. It is the sole importer of bleve and uses only its segment store (scorch):
// analysis, scoring and filters are its own. Words are identifier-aware.
//
// It must not know fingerprints, vectors or which rows are current. Search asks its caller about every candidate.
//
// # Goroutines
//
// For each index, Scorch runs three goroutines that introduce, persist and merge segments, for which Close waits, and
// one for an analysis queue that is always empty. Apply starts one goroutine for every second core and Chunks one for
// every core, and both wait for them.
//
// # Locks
//
// Index.mu guards the handle. Readers lock it while they take a snapshot, not while they read; only opening the
// index again after a failed write locks it over I/O. Index.statsMu is a leaf.
package text
