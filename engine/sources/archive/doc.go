// Package archive owns the archives of research and saved pages: SQLite files with full text and citations
// (docs/specification.md#archives). It is the sole importer of the SQLite driver. Files are parsed by a
// markup.Reader, in another process.
//
// It must not know tools, sessions or the choice of an archive. It starts no goroutine. Searcher.mu guards the
// cached vocabulary and is not locked over I/O.
//
// # File
//
// An archive is identified by its application id (application), its schema by user_version; schema.sql describes
// version 1. Migrations run when an archive is opened for import, one transaction each. The journal is a rollback
// journal, never a write-ahead log: a search opens the file read-only, reads the header first, and writes no file.
package archive
