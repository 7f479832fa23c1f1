// Package lance is LanceDB in this process. It is the sole importer of lancedb-go and of the arrow version that it
// uses; none of their types are exported. Package vector checks its arguments.
//
// Goroutines: none. A native call cannot be interrupted; slots bound all of them together.
//
// Locks: DB.mu, a leaf over the map of handles. handle.mu separates Close from running calls: calls read-lock it,
// by design over the native call.
package lance
