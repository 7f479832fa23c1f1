// Package vector owns one corpus's table of embeddings in LanceDB. It is the sole importer of lancedb-go and of the
// arrow version that it uses; none of their types are exported.
//
// The table is the source of truth. Searches read the sketch next to it (package sketch), which is updated with every
// change and is outdated if it has a different number of rows.
//
// It must not know fingerprints, the text index or which rows are current. Memory implements the same table in memory,
// for tests only.
//
// # Locks
//
// sketched.mu is a leaf over the sketch's reads and writes. lanceTable.mu separates Close from running calls, which
// intentionally read-lock it over the native call.
package vector
