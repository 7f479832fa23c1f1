// Package store combines the fingerprints, text index and vector table of each of a project's two corpora. It orders
// commits, replaces generations, and opens, closes, checks and repairs the index.
//
// It must not depend on how files are found, read, chunked or embedded. Projects share only the vector cache.
//
// # Invariants
//
// M1: A file has a fingerprint only if its chunks are durable in the text index. M2: A reader drops a row whose
// content hash differs from its path's fingerprint. M3: A vector is found by hash(input, model), so that no text is
// embedded twice.
//
// These invariants determine the order of writes. Put writes text rows, then the fingerprint (the commit), then
// deletes stale rows. Remove deletes the fingerprint, then the rows. Vectors are added later. The set of missing
// vectors is derived from the two indexes and never stored. A crash between two steps may leave rows that no reader
// returns and that the next Open deletes, but never a fingerprint without rows. A file without chunks has a marker
// row.
//
// A generation is built in next/ and replaces the current generation by renames. An intent file lists these renames
// beforehand, so that Open can complete them after a crash. Compact replaces a vector table in the same way.
//
// Fingerprints are stored as a checkpoint and a journal of later commits. An unreadable part is quarantined, that is,
// renamed to .bak, and recreated by Open.
//
// # Locks
//
// Locks are taken in this order: Store.writer (text rows and fingerprints of both corpora), corpus.vectorWriter,
// Store.handles, corpus.static, then the leaves corpus.mu and Store.metaMu. The first two are single-writer locks and
// may be held during I/O and native calls. Store.handles is read-locked while handles are used, by a View for its
// whole life, and locked to replace them. The package starts no goroutines.
package store
