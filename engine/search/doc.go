// Package search answers a query from one project's index. It runs lexical and vector retrieval in parallel, fuses and
// ranks their candidates, and returns the hits with their text. It is read-only.
//
// It must not know projects, sessions or files on disk. Its caller checks whether a path may be shown and whether it is
// stale. Run searches vectors and misspelt words in two goroutines and waits for both unless ctx or the timeout ends
// first. Ranking runs one goroutine per core and waits for all. There are no locks.
package search
