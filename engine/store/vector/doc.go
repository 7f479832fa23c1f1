// Package vector owns one corpus's table of embeddings in LanceDB. It is the sole importer of lancedb-go and of the
// arrow version that it speaks; none of their types leaves it.
//
// The table is the truth; searches are answered by the sketch beside it (package sketch), which follows every
// change and is found stale by its number of rows.
//
// It must not know fingerprints, the text index or which rows are current. Memory is the same table held in memory,
// for tests and for nothing else.
//
// # Goroutines
//
// A native call cannot be interrupted. Search runs its call in a goroutine, so that it can return when its context
// ends; Close waits for it. All calls of the process together are bounded by slots.
//
// # Locks
//
// sketched.mu is a leaf over the sketch's reads and writes. lanceTable.mu keeps Close apart from calls in flight:
// calls hold it shared, by design over the native call.
package vector
