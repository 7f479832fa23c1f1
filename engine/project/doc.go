// Package project owns the indexed projects of one data folder, each from its creation to its deletion: watching, jobs,
// pause, configuration, repair, relocation, the shared index under it, and the searches that it answers.
//
// It must not know documents, sites, sessions or windows, nor why work has to wait: that comes through Options.
//
// # Goroutines
//
// Per project one actor (index.Actor.Run), one watcher with its strategy and one pump that takes changes from watcher
// to actor; one that parses what questions miss; one that keeps a shared index fresh where there is one; one that reads
// commits while there are new ones; per job one. All are children of the context that New got and are waited for by
// Wait.
//
// # Locks
//
// Registry.mu guards the map of projects; Project.mu guards a project's record, jobs and watcher. Registry.mu may be
// held when Project.mu is taken, never the other way round, and neither is held over I/O but for the write of a record.
package project
