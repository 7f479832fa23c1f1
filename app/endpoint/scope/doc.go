// Package scope determines the project of a call (docs/specification.md#which-project-a-call-means) and the folders of
// a session's documents. It never asks the client. It has no goroutine and no lock.
package scope
