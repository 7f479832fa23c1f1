// Package watch detects that files of a project may have changed, and decides when to pass the changes to the actor
// (RFC 5.5 to 5.7).
//
// It owns the file system notifications, the set of dirty paths and the schedule of passes over the whole project. A
// [Batch] only lists places to check, and the scan determines the changes. So a batch may contain too many places, but
// never too few. In case of doubt the package requests a rescan. It must not know fingerprints, chunks or stores. It
// reads no file of the project, only the names, types, sizes and times of files that policy allows. It also reads git's
// HEAD, references and reflog.
//
// It is a pipeline of two parts, each with a Run that ends with its context:
//
//	Watcher (one per root) ─┐
//	Watcher                 ┴─► Orchestrator (one per project) ──► the project's actor
//
// The Orchestrator's decisions are a state machine (machine.go). The callers of the state machine and of the debouncer
// pass the current time.
//
// # Goroutines
//
// Watcher.Run, on the caller's goroutine, maintains the tree of watches, debounces events, and polls folders that can't
// be watched. A second goroutine drains the notification source into a set, because sources may block Add until their
// events are read. On Windows the source has a goroutine per tree, and on macOS two. On Linux a goroutine waits for
// changes of the mount table. Orchestrator.Run runs on the caller's goroutine. On Linux another goroutine waits for the
// machine to resume. With the git strategy a goroutine follows the repository, and another drains its source. Idle
// goroutines don't wake up, except to poll and, outside Linux, to compare clocks every fifteen minutes.
//
// # Locks
//
// Watcher.mu, stream.mu, Orchestrator.mu and queue.mu are leaves, and are never held during I/O or callbacks.
package watch
