// Package project owns the indexed projects of a data folder from creation to deletion: watching, jobs, pause,
// configuration, repair, relocation, shared indexes, and searches.
//
// It must not know documents, sites, sessions or windows, nor the reasons for waiting, which are passed through
// Options.
//
// # Goroutines
//
// Per project: an actor (index.Actor.Run), a watcher with its strategy, a pump that passes changes from the watcher
// to the actor, one that parses files for queries, one that refreshes a shared index, one that reads new commits, and
// one per job. All are children of NewRegistry's context, and Wait waits for them.
//
// # Locks
//
// Registry.mu guards the map of projects. Project.mu guards a project's record, jobs and watcher. Project.mu may be
// locked while Registry.mu is locked, not vice versa. No I/O happens under either, except for writing a record.
package project
