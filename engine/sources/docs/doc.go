// Package docs serves a folder's documents (docs/specification.md#documents): the list with title, description and
// tags; their content, with HTML as Markdown; and a search in titles and contents. Every path is checked by policy.
//
// It must not know projects, sessions or MCP; the caller decides which folders a session has. The list stays in
// memory; the words of the contents are unloaded when unused and read again for a search. It starts no goroutine.
// Folder.scanning serializes scans and is locked over their I/O, because it is the list's single writer; Folder.mu
// guards the result of scans, is locked after it and never over I/O.
package docs
