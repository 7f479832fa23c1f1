// Package confirm asks the user whether an index may be created, rebuilt or deleted
// (docs/specification.md#confirmation). It owns the text of a question, the rules about who may answer it, the open
// questions, and Questions.Ask, the only function that asks. A question goes to a window, which is opened if necessary,
// or else to the user of the calling client. A program of ours, by the role of its connection, may send the user's
// consent with the call; an assistant's connection can't.
//
// It must not depend on the effect of an answer or on tools other than by name.
//
// Goroutines: none. Locks: Questions.mu is a leaf.
package confirm
