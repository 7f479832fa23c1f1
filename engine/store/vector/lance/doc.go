// Package lance runs LanceDB in the current process. It is the only importer of lancedb-go and Arrow, and exports none
// of their types. Package vector checks the arguments of all calls.
//
// It starts no goroutines. Native calls cannot be interrupted, so a semaphore limits their number.
//
// Calls hold handle.mu for reading, also during the native call. Close waits for these calls. No other lock is
// acquired while DB.mu is held.
package lance
