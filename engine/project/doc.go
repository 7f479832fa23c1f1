// Package project manages the indexed projects of a data folder. It creates, searches, repairs, moves and deletes them,
// watches their files, and runs their jobs. It also applies their configurations and shared indexes.
//
// The package must not depend on document folders, sites, sessions or windows.
//
// # Goroutines
//
// Each project has goroutines for:
//
//   - its actor (index.Actor.Run), which writes the index
//   - a watcher per root folder
//   - an orchestrator (watch.Orchestrator), which collects changes in batches
//   - passing batches to the actor (pumpBatches)
//   - each job
//   - refreshing its shared index
//   - reading new commits
//
// All end with the context of NewRegistry. Wait waits for them.
//
// # Locks
//
// Registry.mu guards the map of projects. Project.mu guards a project's record, jobs and watchers. Registry.mu is
// locked before Project.mu. No I/O happens under these locks, except for writing a record.
package project
