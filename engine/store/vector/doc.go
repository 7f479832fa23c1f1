// Package vector implements one corpus's table of embeddings in LanceDB, which package lance runs.
//
// The table is the source of truth. Searches read the sketch next to the table (package sketch). A sketch with another
// number of rows than the table is outdated.
//
// The package must not depend on fingerprints, the text index or which rows are current. It starts no goroutines.
//
// # Locks
//
// Calls read-lock Table.mu, also during the native call, so that Close waits for them. sketched.opening is a leaf and
// locked while a sketch is opened.
package vector
