// Package archive owns the archives of research and saved pages: SQLite files with full text and citations
// (docs/specification.md#archives).
//
// It must not depend on tools or on sessions. It starts no goroutine. Searcher.mu guards the cached vocabulary and is
// locked while a search reads it.
//
// # File
//
// SQLite's application ID (the constant application) identifies a file as an archive, and user_version identifies its
// schema. schema.sql describes version 1. An archive has a rollback journal, never a write-ahead log. A search opens
// the file read-only.
package archive
