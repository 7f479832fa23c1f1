// Package watch detects changes of a project's files, and decides when to pass them to the actor, which indexes the
// project (RFC 5.5 to 5.7).
//
// A [Batch] lists files and folders that may have changed. It may list unchanged files, but no changed file is missing.
// Package scan finds the changed files in it. Package watch must not depend on fingerprints, chunks or stores. It reads
// git's HEAD and references, but no files of the project.
//
//	Watcher (one per root) ─┐
//	Watcher                 ┴─► Orchestrator (one per project) ──► the project's actor
//
// # Goroutines
//
// The callers of Watcher.Run and Orchestrator.Run provide the goroutines. The package starts these:
//   - on Linux, one for all projects that reads inotify, and one per Watcher that waits for changes of the mount table
//   - on Windows and macOS, one per watched tree
//   - under the git strategy, one per project that watches the repository
//
// Idle goroutines wake up only to poll, and every 15 minutes to detect that the computer has slept.
//
// # Locks
//
// Files.mu, stream.mu and notifier.watcherMu are held while watches are set. notifier.mu is locked before queue.mu. No
// lock is taken while one of the other locks is held.
package watch
