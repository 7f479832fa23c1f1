// Package lance runs LanceDB in this process. It is the sole importer of lancedb-go and of the arrow version that it
// uses; none of their types are exported. Package vector checks its arguments.
//
// It starts no goroutines. A native call cannot be interrupted; slots limit the number of concurrent calls.
//
// Locks: DB.mu, a leaf over the map of handles. handle.mu separates Close from running calls, which intentionally
// read-lock it over the native call.
package lance
