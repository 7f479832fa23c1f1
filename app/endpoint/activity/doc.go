// Package activity is what a person can read of what assistants asked and what happened to the indexes. Queries are in
// it, so it is kept in memory only, unless a person wants it on disk for a week; a setting switches it off.
//
// It must not know tools nor sessions. Goroutines: Follow's, which is the caller's. Locks: Log.mu is a leaf.
package activity
