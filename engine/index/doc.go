// Package index keeps the index of a project consistent with its files. It converts changed files to chunks and
// vectors, and is the only writer of the project's store.
//
// It must not depend on sessions, windows or other projects. It uses the embedding model and events through the
// interfaces in Options.
//
// # Goroutines
//
// Each project has two goroutines:
//
//   - Actor.Run serves requests one at a time. Only it writes text and fingerprints (hashes of indexed files) of the
//     current generation of the index.
//   - Actor.vectorLoop computes the vectors of committed chunks and stores them.
//
// commitChanges starts a reader for each core, a goroutine that collects the chunks in batches, and a goroutine that
// commits the batches. fillBatch starts a goroutine that computes vectors and a goroutine that stores them. All end
// before these functions return. A rebuild runs in its caller's goroutine and writes a new generation.
//
// # Locks
//
// Actor.publishing is locked before Actor.mu and the hub's lock, while a snapshot is created and published. Actor.mu
// guards the actor's status, and lockedFiles.mu the files to retry. No I/O happens while they are locked.
package index
