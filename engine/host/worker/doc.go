// Package worker runs native code in separate processes: parsers (Syntax), the embedding model (Model) and LanceDB's
// tables (Tables), each with the interface of its users, and readers of untrusted documents (Documents), which have no
// other limits. They use one program, search-mcp-worker, with one process for each of them and another process with
// parsers for queries, so that a crashing parser affects neither the model nor a table, and queries don't wait for
// indexing. Package serve implements the program.
//
// It owns the messages between the two sides (one file per kind, with both directions), the location of the program,
// and the record of contents that killed a worker (Poison). It must not know projects.
//
// Policy is applied in the app, which reads the files and passes their text. A worker opens only the libraries, the
// model and the index folders passed to it.
//
// Goroutines: those of native.Process. Locks: Poison.mu and Model.mu, both leaves; Poison.mu is locked while its
// small file is written.
package worker
