// Package scope determines the scope of a session: the project of a call
// (docs/specification.md#which-project-a-call-means), the folders of its documents, and valid globs. It never asks the
// client. The caller passes the client's roots.
//
// It must not import tools, questions or the private methods. It is pure apart from the engine; it has no goroutine and
// no lock.
package scope
