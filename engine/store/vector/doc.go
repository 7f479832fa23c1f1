// Package vector owns one corpus's table of embeddings in LanceDB, which package lance runs.
//
// The table is the source of truth. Searches read the sketch next to it (package sketch), which is updated with every
// change and is outdated if it has a different number of rows.
//
// It must not know fingerprints, the text index or which rows are current. It starts no
// goroutine.
//
// # Locks
//
// sketched.mu is a leaf over the sketch's reads and writes. table.mu separates Close from running calls, which
// intentionally read-lock it over the native call.
package vector
