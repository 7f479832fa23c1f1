// Package store is the unit of work over one project's fingerprints, text index and vector table: the order of
// commits, generations, opening, closing, checking and repair. A project has two corpora; each has fingerprints, a
// text index and a vector table.
//
// It must not know how files are found, read, chunked or embedded, nor anything of other projects but the vector cache
// that they share.
//
// # Invariants
//
// M1: a fingerprint names only content whose chunks are durable in the text index. M2: a reader drops a row whose
// content hash is not its path's fingerprint. M3: a vector is found by hash(input, model), so nothing is embedded
// twice.
//
// The order of writes follows from them. Put: text rows, then the fingerprint (the commit), then the stale rows are
// deleted. Remove: the fingerprint first, then the rows. Vectors follow later; which are missing is derived from the
// two indexes, never stored. A crash between any two steps leaves rows that no reader sees and the next Open deletes,
// and never a fingerprint without rows. A file without chunks has a marker row, so that the same holds for it.
//
// A generation is built in next/ and replaces the current one by renames that an intent file announces; an Open that
// finds the intent completes them. Compact does the same with a vector table.
//
// Fingerprints are a checkpoint and a journal of the commits since. A part that cannot be read is quarantined: renamed
// to .bak, so that Open makes it anew.
//
// # Goroutines
//
// None of its own; those of bleve and LanceDB end with Close.
//
// # Locks
//
// In this order: Store.writer (text rows and fingerprints of both corpora), corpus.vectorWriter, Store.handles, then
// the leaves corpus.mu and Store.metaMu. The first two are the single-writer locks that the architecture allows to be
// held over I/O and native calls. Store.handles is read-locked while handles are used, by a View for its whole life,
// and locked to replace them.
package store
