// Package index keeps one project's index consistent with its files: it converts changed files to chunks, rows and
// vectors, and is the only writer of the project's store.
//
// It must not know sessions, windows or other projects. It uses the embedder and events through the interfaces of
// Options.
//
// # Goroutines
//
// Actor.Run is one goroutine per project and serialises all writes of text and fingerprints: builds, batches of the
// watcher, single files, configuration. A text phase starts readers (one per core), one goroutine that collects
// their results and one that commits them; all end with the phase. The vector loop is a second goroutine per
// project: it only adds vectors of committed chunks. A writer goroutine stores them while the model makes more, and
// ends with each batch of some thousands. A rebuild has its own goroutine and generation, while the actor keeps the
// current one fresh.
//
// # Locks
//
// Actor.publishing is locked while a snapshot is made and sent, over Actor.mu and the hub. Actor.mu guards the
// actor's status, lockedFiles.mu the files to retry; both are leaves and never locked over I/O.
package index
