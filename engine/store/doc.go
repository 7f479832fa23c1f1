// Package store stores the index of a project. The index consists of two corpora, code and documentation. Each corpus
// has fingerprints (the SHA-256 of each file, by path), a text index and vector tables.
//
// The package must not depend on how files are found, read, chunked or embedded. Projects share only the vector cache.
//
// # Invariants
//
// - A file has a fingerprint only if its chunks are durable in the text index.
// - Readers ignore rows whose content hash differs from the fingerprint of their path.
// - The vector cache is keyed by model and text, so that no text is embedded twice.
//
// Put writes rows to the text index, then the fingerprint, which is the commit, and then deletes the old rows. Remove
// deletes the fingerprint, and then the rows. After a crash, Open deletes rows without a fingerprint. A file without
// chunks has a marker row.
//
// Vectors are added later. Missing vectors are found by comparing the text index with the vector table.
//
// A rebuilt index is called a generation. It is built in next/ and replaces the current generation by renames. The
// renames are first listed in an intent file, so that Open can complete them after a crash. Compact replaces a vector
// table in the same way.
//
// Fingerprints are stored as a checkpoint and a journal of later commits. An unreadable part of the index is
// quarantined, that is, renamed to .bak. Open then recreates it.
//
// # Locks
//
// Locks are acquired in this order: Store.writer, corpus.vectorWriter, Store.handles, corpus.static, and then corpus.mu
// or Store.metaMu.
//
// Store.writer serializes the writes of text rows and fingerprints, and corpus.vectorWriter the writes of vectors. Both
// may be held during I/O and native calls. Store.handles is read-locked while open files are used, and write-locked
// while they are replaced or suspended. A View holds the read lock until its Release. The package starts no goroutines.
package store
