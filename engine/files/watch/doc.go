// Package watch notices that files of a project may have changed, and decides when the actor hears of it (RFC 5.5 to
// 5.7).
//
// It owns the file system's notifications, the set of dirty paths and the schedule of passes over the whole project.
// It gives hints: a [Batch] says where to look, the scan finds out what has changed. So false positives are allowed
// and false negatives are not; when in doubt it asks for a rescan. It must not know fingerprints, chunks or stores,
// and it reads no file of the project, only names, types, sizes and times of what policy admits. Of git it reads HEAD,
// references and the reflog.
//
// Two parts form a pipeline, each with a Run that ends with its context:
//
//	Watcher (one per root) ─┐
//	Watcher                 ┴─► Orchestrator (one per project) ──► the project's actor
//
// The Orchestrator's decisions are a state machine (machine.go), as the debouncer's are: pure, given the time.
//
// # Goroutines
//
// Watcher.Run runs on the caller's goroutine: it keeps the tree of watches, debounces events, polls what can't be
// watched. A second one drains the notification source into a set, because sources may block Add until their events
// are read. On Windows each tree has one more in its source, on macOS two. On Linux another waits for changes of the
// mount table. Orchestrator.Run runs on the caller's goroutine; on Linux another waits until the machine resumes. With
// the git strategy one more follows the repository and drains a source of its own. There are no wake-ups while nothing
// happens, except for the polling that a Status tells of and, outside Linux, a comparison of clocks every fifteen
// minutes.
//
// # Locks
//
// Watcher.mu, stream.mu, Orchestrator.mu and queue.mu are leaves: none is held over I/O, a callback or another lock.
package watch
