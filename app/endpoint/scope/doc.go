// Package scope decides what a session means: which project a call is about
// (docs/specification.md#which-project-a-call-means) and which folders' documents it is served, and whether a glob can
// mean anything. It asks nobody: the client's roots come from the caller.
//
// It must not know tools, questions nor the private methods. Pure but for the engine it is given; no goroutine, no
// lock.
package scope
