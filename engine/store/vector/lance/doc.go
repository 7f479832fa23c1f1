// Package lance is LanceDB in this process. It is the sole importer of lancedb-go and of the arrow version that it
// speaks; none of their types leaves it. What it is asked has been checked by package vector.
//
// Goroutines: none. A native call cannot be interrupted; all together are bounded by slots.
//
// Locks: DB.mu, a leaf over the map of handles. handle.mu keeps Close apart from calls in flight: calls hold it
// shared, by design over the native call.
package lance
