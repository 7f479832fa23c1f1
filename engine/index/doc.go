// Package index keeps the index of a project consistent with its files. It converts changed files to chunks and
// vectors. No other package writes to the project's store.
//
// The package must not depend on sessions, windows or other projects.
//
// # Goroutines
//
// Each project has two goroutines. Actor.Run serves requests one at a time, and writes text and file hashes to the
// current index. Actor.vectorLoop computes and stores the vectors of committed chunks.
//
// commitChanges starts a reader for each core, a goroutine that collects the chunks in batches, and a goroutine that
// commits the batches. fillBatch starts a goroutine that computes vectors and a goroutine that stores them. These
// goroutines end before the functions return. A rebuild runs in its caller's goroutine.
//
// # Locks
//
// Actor.publishing is locked before Actor.mu and the hub's lock. Actor.mu guards the actor's status. lockedFiles.mu
// guards the files to read again. No I/O happens while these locks are held.
package index
