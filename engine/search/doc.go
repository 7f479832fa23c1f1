// Package search answers a query from one project's index: candidates by text and by meaning side by side, fused and
// ranked, with their text. It is read-only.
//
// It must not know projects, sessions or files on disk: whether a path may still be shown and whether it is stale is
// asked by its caller. Goroutines: Run starts one for the vector side and waits for it, unless ctx ends first. No locks.
package search
