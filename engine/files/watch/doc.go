// Package watch detects that files of a project may have changed, and decides when to pass the changes to the actor
// (RFC 5.5 to 5.7).
//
// A [Batch] lists places to check, and the scan determines the changes. So a batch may contain too many places, but
// never too few. The package must not depend on fingerprints, chunks or stores. It reads no file of the project, only
// the names, types, sizes and times of files that policy allows, and git's HEAD and references.
//
//	Watcher (one per root) ─┐
//	Watcher                 ┴─► Orchestrator (one per project) ──► the project's actor
//
// # Goroutines
//
// Run of a Watcher and of an Orchestrator runs on the caller's goroutine. On Linux all sources share a goroutine that
// reads inotify, and each watcher has another that waits for changes of the mount table. On Windows and macOS a source
// has a goroutine per tree. With the git strategy, another goroutine follows the repository. Idle goroutines don't wake
// up, except to poll and to compare clocks every fifteen minutes.
//
// # Locks
//
// notifier.changing, Files.mu and stream.mu are held while watches are set. The other locks are leaves, except that
// notifier.mu is locked before queue.mu.
package watch
