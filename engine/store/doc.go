// Package store combines one project's fingerprints, text index and vector table into one unit: it orders commits,
// switches generations, opens, closes, checks and repairs. A project has two corpora, each with its own fingerprints,
// text index and vector table.
//
// It must not know how files are found, read, chunked or embedded, nor other projects except for the shared vector
// cache.
//
// # Invariants
//
// M1: a fingerprint names only content whose chunks are durable in the text index. M2: a reader drops a row whose
// content hash is not its path's fingerprint. M3: a vector is found by hash(input, model), so no text is embedded
// twice.
//
// This determines the order of writes. Put writes text rows, then the fingerprint (the commit), then deletes stale
// rows. Remove deletes the fingerprint, then the rows. Vectors follow later; the set of missing vectors is derived from
// the two indexes and never stored. A crash between two steps may leave rows that no reader returns and that the next
// Open deletes, but never a fingerprint without rows. A file without chunks has a marker row.
//
// A generation is built in next/ and replaces the current generation by renames. An intent file lists these renames
// first, and Open completes the renames of an existing intent. Compact replaces a vector table in the same way.
//
// Fingerprints are a checkpoint and a journal of the commits since. An unreadable part is quarantined: renamed to
// .bak, so that Open recreates it.
//
// # Goroutines
//
// The package starts none of its own. The goroutines of bleve and LanceDB end with Close.
//
// # Locks
//
// Locks are taken in this order: Store.writer (text rows and fingerprints of both corpora), corpus.vectorWriter,
// Store.handles, then the leaves corpus.mu and Store.metaMu. The first two are single-writer locks and may be locked
// over I/O and native calls. Store.handles is read-locked while handles are used, by a View for its whole life, and
// locked to replace them.
package store
