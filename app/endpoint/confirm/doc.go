// Package confirm asks the user whether an index may be created, rebuilt or deleted
// (docs/specification.md#confirmation). A terminal's user is asked in the terminal. For an assistant, the question
// appears in a window if possible, and otherwise in the client. Windows and terminals may send the user's consent with
// the call. Assistants may not.
//
// The package has a goroutine for each window that it starts. No other lock is acquired under Questions.mu.
package confirm
