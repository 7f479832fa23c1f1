// Package memory gives memory back to the system when nothing happens.
//
// It knows nothing of what the process does: whoever does calls Release when the process has come to rest, and who maps
// files calls DropFiles. It has no goroutines and no locks.
package memory

import "runtime/debug"

// Release gives back what can be had again for little: free pages of Go's heap, and on Linux the pages of the program and its
// libraries, most of which were read once while they were loaded and stay in the system's cache anyway. It takes some tens
// of milliseconds; what is touched again afterwards costs a page fault each, a few milliseconds for a search.
func Release() error {
	debug.FreeOSMemory()
	return dropCode()
}
