// Package index keeps one project's index consistent with its files. It converts changed files to chunks, rows and
// vectors, and is the only writer of the project's store.
//
// It must not depend on sessions, windows or other projects. It uses the embedder and events through the interfaces in
// Options.
//
// # Goroutines
//
// Each project has a goroutine, Actor.Run, that serialises all writes of text and fingerprints. A text phase starts one
// reader per core, a goroutine that collects their results and a goroutine that commits them. All end with the phase.
// The vector loop is a second goroutine per project, which only adds vectors of committed chunks. For each batch of
// some thousand chunks it starts a goroutine that stores vectors while the model computes more. A rebuild has its own
// goroutine and generation.
//
// # Locks
//
// Actor.publishing is locked while a snapshot is created and sent, before Actor.mu and the hub's lock. Actor.mu guards
// the actor's status, and lockedFiles.mu the files to retry. Both are leaves and are never held during I/O.
package index
