// Package store is the unit of work over one project's files, text index and vector table: the order of commits, generations,
// opening, closing, checking and repair. A project has two corpora; each is a set of fingerprints, a text index and a vector table.
//
// It must not know how files are found, read, chunked or embedded, nor anything of other projects but the vector cache that
// they share.
//
// # Invariants
//
// M1: a fingerprint names only content whose chunks are durable in the text index. M2: a reader drops a row whose content hash is
// not its path's fingerprint. M3: a vector is found by hash(input, model), so nothing is embedded twice.
//
// From them follow the orders. Put: text rows, then the fingerprint (the commit), then the rows of the old content go. Remove:
// the fingerprint first, then the rows. Vectors come when they are made; which are missing is derived from the two indexes, never
// stored. A crash between any two steps leaves rows that nobody reads, which the next Open removes, and never a fingerprint
// without rows. A file without chunks has a marker row, so that this holds for it as well.
//
// A generation is built in next/ and takes the current one's place by renames that an intent file announces; an Open that finds
// the intent finishes them. Compact does the same with a vector table.
//
// # Goroutines
//
// None of its own; those of bleve and LanceDB end with Close.
//
// # Locks
//
// In this order: Store.writer (text rows and fingerprints of both corpora), corpus.vectorWriter, Store.gate, then the leaves
// corpus.mu and Store.metaMu. The first two are the single writers that the architecture allows to be held over I/O and native
// calls. The gate is entered by everybody who uses a handle and locked by who replaces handles; a View is inside the gate.
package store
