// Package search answers a query from one project's index: lexical and vector retrieval in parallel, fused and
// ranked, with the hits' text. It is read-only.
//
// It must not know projects, sessions or files on disk: its caller checks whether a path may be shown and whether
// it is stale. Goroutines: Run starts one for the vector search, another one for misspelt words, and waits for the
// last, unless ctx or its timeout ends first; ranking divides candidates among one for each core and waits for
// them. No locks.
package search
