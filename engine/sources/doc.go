// Package sources owns the sources that are not projects: document folders, sites, named indexes and archives.
//
// It must not depend on sessions or on the indexing of projects.
//
// # Goroutines and locks
//
// Run starts four goroutines: one refreshes sites, one selects changed folders from the hub's events, one scans these
// folders again, and one watches the folders that no project watches. Sources.addedMu is locked while the list of
// added folders is changed. Sources.mu guards the folders in memory and is a leaf.
package sources
