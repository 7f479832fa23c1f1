// Package worker runs native code in separate processes: parsers (Syntax), the embedding model (Model) and LanceDB's
// tables (Tables). It also runs the readers of untrusted documents (Documents) and of shared indexes (Parts), because
// only a process can limit their time and memory.
//
// Each Kind of worker is a process of the program search-mcp-worker, which package serve implements. A crashing parser
// thus affects neither the model nor a table. ParseHandlers for queries has its own process, so queries don't wait for
// indexing.
//
// The package defines the messages between the app and the workers (one file per kind), finds the program, and records
// contents that killed a worker (Poison). It must not depend on projects.
//
// The app applies the policy and passes text to the workers. A worker opens only the libraries, the model and the index
// folders that are passed to it.
//
// All goroutines are those of native.Process. Model.asking is locked before native.Process's locks. No lock is acquired
// while Poison.mu is locked. Poison.mu is locked while Poison's small file is written.
package worker
