// Package watch notices that files of a project may have changed, and decides when that is handed on (RFC 5.5 to 5.7).
//
// It owns the notifications of the file system, the set of dirty paths and the times at which a project is examined as a
// whole. It gives hints, never truth: a [Batch] says where to look, the scan finds out what happened. So it may name too
// much and must never name too little; whenever it can't be sure, it asks for a rescan. It must not know fingerprints,
// chunks or stores, and it reads no file of the project: it looks at names, types, sizes and times of what policy admits.
// Of git it reads HEAD, references and the reflog.
//
// Three parts stand in a row, each with a Run that ends with its context:
//
//	Watcher (one per root) ─┐
//	Watcher                 ├─► Orchestrator (one per project) ──► the project's actor
//	Schedule                ┘     strategy: realtime, lazy, git
//
// # Goroutines
//
// Watcher.Run works on the caller's goroutine: it keeps the tree of watches, forms batches, polls what can't be watched.
// Beside it one goroutine does nothing but drain the notification source into a set, because sources may block Add while
// nobody reads their events. On Linux another sleeps until the table of mounts changes. Orchestrator.Run works on the
// caller's goroutine and keeps one goroutine for the strategy in force and one that saves the dirty set; the git strategy has
// a draining goroutine of its own. Schedule.Run works on the caller's goroutine; on Linux another sleeps until the machine
// resumes. Nothing ticks while nothing happens, except
// the polling that a Status tells of and, outside Linux, one look at the clock in fifteen minutes.
//
// # Locks
//
// Watcher.mu, queue.mu, dirty.mu and the strategies' mu are leaves: none is held over I/O, a callback or another lock.
package watch
