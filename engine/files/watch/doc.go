// Package watch detects changes of a project's files, and decides when to pass them to the actor, which indexes the
// project (RFC 5.5 to 5.7).
//
// A [Batch] lists files and folders that may have changed. It may contain unchanged files, but never lacks a changed
// file. Package scan finds the changed files among them. This package must not depend on fingerprints, chunks or
// stores. It doesn't read the content of a project's files, but it reads git's HEAD and references.
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
// Files.mu, stream.mu and notifier.watcherMu are held while watches are set. notifier.mu is locked before queue.mu. The
// other locks are leaves.
package watch
