// Package lance runs LanceDB in the current process. It is the only importer of lancedb-go and of the version of arrow
// that lancedb-go uses, and exports none of their types. Package vector checks the arguments of its calls.
//
// It starts no goroutines. A native call cannot be interrupted, so slots limit concurrent calls.
//
// DB.mu is a leaf. Calls read-lock handle.mu, also during the native call, so that Close waits for them.
package lance
