// Package project owns the indexed projects of a data folder from creation to deletion: watching, jobs, pause,
// configuration, repair, relocation, shared indexes, and searches.
//
// It must not depend on document folders, sites, sessions or windows.
//
// # Goroutines
//
// Each project has goroutines for its actor (index.Actor.Run), watchers, strategy, a pump that passes their batches to
// the actor, and each job. Others refresh a shared index and read new commits. All end with NewRegistry's context, and
// Wait waits for them.
//
// # Locks
//
// Registry.mu guards the map of projects. Project.mu guards a project's record, jobs and watcher, and may be locked
// while Registry.mu is locked, but not vice versa. No I/O happens under either lock, except for writing a record.
package project
