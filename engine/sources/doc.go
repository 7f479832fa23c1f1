// Package sources owns what is served beside the projects: document folders, sites, named indexes and archives.
//
// It must not know how projects are indexed, nor sessions: which folders are projects, and under which rules, it asks
// the Projects of its Options.
//
// # Goroutines and locks
//
// Run has three: the sites' own, one that picks changed folders out of the hub's events, one that reads those again and
// looks at unwatched folders now and then. Sources.addedMu is held over a change of the list of added folders;
// Sources.mu guards the folders in memory and is a leaf.
package sources
