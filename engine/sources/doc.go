// Package sources owns the sources other than projects: document folders, sites, named indexes and archives.
//
// It must not know how projects are indexed, nor sessions: Options.Projects returns the projects' folders and rules.
//
// # Goroutines and locks
//
// Run has four: the sites' own, one that selects changed folders from the hub's events, one that scans those again,
// and one that keeps a watcher, with two goroutines, on each folder that no project watches. Sources.addedMu is
// locked over a change of the list of added folders; Sources.mu guards the folders in memory and is a leaf.
package sources
