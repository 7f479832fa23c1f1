// Package confirm puts questions to a person: may this index be created, rebuilt, deleted
// (docs/specification.md#confirmation)? It owns the words of a question, who may answer it, the questions that are
// open, and the one place where a question is put: Questions.Ask. A question goes to a window, which is opened if there
// is none, else to the person at the client that called. A person's own program, by the role of its connection, may
// send the person's consent with the call instead; an assistant's connection can never do so.
//
// It must not know what becomes of an answer, nor any tool beyond its name.
//
// Goroutines: none of its own. Locks: Questions.mu is a leaf.
package confirm
