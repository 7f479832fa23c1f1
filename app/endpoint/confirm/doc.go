// Package confirm asks the user whether an index may be created, rebuilt or deleted
// (docs/specification.md#confirmation), in a window or else through the calling client. Windows and terminals may send
// the user's consent with the call, but assistants may not.
//
// It starts no goroutine. Questions.mu is a leaf.
package confirm
