// Package lance runs LanceDB in this process. It is the only importer of lancedb-go and its version of arrow, and
// exports none of their types. Package vector checks its arguments.
//
// It starts no goroutines. A native call cannot be interrupted, so slots limit concurrent calls.
//
// DB.mu is a leaf. handle.mu separates Close from running calls, which read-lock it over the native call.
package lance
