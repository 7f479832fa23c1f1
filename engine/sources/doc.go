// Package sources owns what is served beside the projects: document folders, sites, named indexes and archives.
//
// It must not know how projects are indexed, nor sessions: which folders are projects, and under which rules, it asks
// the Projects of its Options.
//
// # Goroutines and locks
//
// Run has four: the sites' own, one that picks changed folders out of the hub's events, one that reads those again, and
// one that keeps a watcher, with two of its own, on each folder that no project watches. Sources.addedMu is held over a
// change of the list of added folders; Sources.mu guards the folders in memory and is a leaf.
package sources
