// Package worker has native code done in processes of their own: parsers (Syntax), the embedding model (Model) and
// LanceDB's tables (Tables), each as the interface that its users have anyway; and what strangers wrote read in others
// (Documents), whose readers nothing else bounds. Underneath is one program,
// search-mcp-worker, of which one process runs for each of the three, and another one with parsers for questions, so
// that a parser that crashes takes neither the model nor a table with it, and who asks does not wait for an index.
// Package serve is that program's side.
//
// It owns what travels between the two (one file for each of the three, both directions beside each other), where
// the program is found, and what is remembered of contents that killed a worker (Poison). It must not know
// projects.
//
// Policy stays in the app: it reads files and hands their text over. A worker opens the libraries, the model and
// the folders of indexes that it is told, and nothing else.
//
// Goroutines: those of native.Process. Locks: Poison.mu and Model.mu, leaves but for the small files written under
// the first.
package worker
