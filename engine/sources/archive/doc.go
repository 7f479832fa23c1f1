// Package archive owns the archives of research and saved pages: SQLite files with full text and citations
// (docs/specification.md#archives). It is the sole importer of the SQLite driver.
// Files are read by a markup.Reader, which takes them apart in another process.
//
// It must not know tools, sessions or which archive is meant. It starts no goroutine. Searcher.mu guards the cached
// vocabulary and is held over no I/O.
//
// # File
//
// An archive is told by its application id (application) and its schema by user_version; schema.sql describes version
// 1. Migrations run when an archive is opened for import, one transaction each. The journal is a rollback journal,
// never a write-ahead log: so a search, which opens the file read-only and looks at the header first, writes nothing,
// not even beside it.
package archive
