// Package worker runs native code in separate processes: parsers (Syntax), the embedding model (Model) and LanceDB's
// tables (Tables). It also runs the readers of untrusted documents (Documents), because only a process can limit their
// time and memory. Each kind is a process of the program search-mcp-worker, and queries have another process with
// parsers. A crashing parser thus affects neither the model nor a table, and queries don't wait for indexing. Package
// serve implements the program.
//
// It defines the messages between the app and the workers (one file per kind), finds the program, and records contents
// that killed a worker (Poison). It must not depend on projects.
//
// The app applies the policy and passes text to the workers. A worker opens only the libraries, the model and the
// index folders that are passed to it.
//
// Its only goroutines are those of native.Process. Poison.mu and Model.mu are leaves. Poison.mu is held while its
// small file is written.
package worker
