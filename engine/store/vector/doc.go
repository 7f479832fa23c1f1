// Package vector implements one corpus's table of embeddings in LanceDB, which package lance runs.
//
// The table is the source of truth. Searches read the sketch next to it (package sketch), which is outdated if its
// number of rows differs.
//
// The package must not know fingerprints, the text index or which rows are current. It starts no goroutines.
//
// # Locks
//
// sketched.mu is a leaf, locked over the sketch's I/O. table.mu separates Close from running calls, which read-lock it
// over the native call.
package vector
