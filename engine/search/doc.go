// Package search answers a query from one project's index. It finds candidates by words and by vectors in parallel,
// ranks them together, and returns the hits with their text. It is read-only.
//
// It must not depend on projects, sessions or files on disk. Its caller checks whether a file may be shown and is
// unchanged.
//
// Run searches vectors in goroutines and waits for them until ctx or the timeout ends. The package has no locks.
package search
