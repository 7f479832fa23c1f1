// Package scope finds the project of a call (docs/specification.md#which-project-a-call-means) and the document folders
// of a session. It has no goroutines or locks.
package scope
