// Package project owns the indexed projects of a data folder from creation to deletion: watching, jobs, pause,
// configuration, repair, relocation, shared indexes, and searches.
//
// It must not depend on document folders, sites, sessions or windows. Options.Throttled returns the reason why the
// vectors must wait.
//
// # Goroutines
//
// Each project runs an actor (index.Actor.Run), a watcher with its strategy, a pump that passes changes from the
// watcher to the actor, and a goroutine for each job. Other goroutines parse files for queries, refresh a shared index
// and read new commits. All are children of NewRegistry's context, and Wait waits for them.
//
// # Locks
//
// Registry.mu guards the map of projects. Project.mu guards a project's record, jobs and watcher, and may be locked
// while Registry.mu is locked, but not vice versa. No I/O happens under either lock, except for writing a record.
package project
