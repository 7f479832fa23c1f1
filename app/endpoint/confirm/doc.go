// Package confirm asks the user whether an index may be created, rebuilt or deleted
// (docs/specification.md#confirmation). It asks in a window if possible, and otherwise through the calling client.
// Windows and terminals may send the user's consent with the call. Assistants may not.
//
// The package has a goroutine for each window that it starts. Questions.mu is a leaf.
package confirm
