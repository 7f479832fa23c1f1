// Package index keeps one project's index consistent with its files: it turns changed files into chunks, rows and
// vectors, and is the only writer of the project's store.
//
// It must not know sessions, windows or other projects. What it needs of the embedder and of events comes through the
// small interfaces of Options.
//
// # Goroutines
//
// Actor.Run is one goroutine per project and serialises everything that writes text and fingerprints: builds,
// batches of the watcher, single files, configuration. A text phase starts readers (one per core), one goroutine that
// collects what they read and one that commits it; all end with the phase. The vector loop is a second goroutine per
// project: it only adds vectors for chunks that the first has committed; a writer beside it stores them while the model
// makes more, and ends with each batch of some thousands. A rebuild runs in a goroutine of its own, on a generation of
// its own, while the actor keeps the current one fresh.
//
// # Locks
//
// Actor.publishing is held while a snapshot is made and sent, over Actor.mu and the hub. Actor.mu guards the actor's
// status, heldFiles.mu the files that are to be looked at again; both are leaves and are never held over I/O.
package index
