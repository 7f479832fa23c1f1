// Package engine is the only door to everything that indexes and searches: it owns the projects of one data folder, what
// they share (embedder, vector cache, event hub) and their goroutines.
//
// It must not know sessions, MCP, windows or terminals: app asks a person before it calls Create, Reindex or Delete.
//
// # Goroutines
//
// Per project one actor (index.Actor.Run), one watcher with its strategy and one pump that takes changes from watcher to
// actor; per job one; for all of them one that gives memory back when nothing happens. All are children of the context that
// Open makes and are waited for by Close.
//
// # Locks
//
// Engine.mu guards the map of projects; project.mu guards a project's jobs and watcher. Engine.mu may be held when
// project.mu is taken, never the other way round, and neither is held over I/O.
package engine
