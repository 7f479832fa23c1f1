// Package sources owns the sources that are not projects: document folders, sites, named indexes and archives.
//
// It must not depend on sessions or on the indexing of projects.
//
// # Goroutines and locks
//
// Run starts four goroutines. They refresh sites, select changed folders from the hub's events, scan these folders
// again, and run a watcher, with two goroutines, for each folder that no project watches. Sources.addedMu is locked
// while the list of added folders is changed. Sources.mu guards the folders in memory and is a leaf.
package sources
