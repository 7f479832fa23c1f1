// Package docs serves a folder's documents (docs/specification.md#documents). It lists the documents with their titles,
// descriptions and tags, returns their contents (HTML as Markdown), and searches in titles and contents. Package policy
// checks every path.
//
// It must not depend on projects, sessions or MCP. The caller decides which folders a session has. The list remains in
// memory. The words of the contents are unloaded when they are not used, and read again for a search. The package
// starts no goroutine. Folder.scanning is locked during scans and their I/O. Folder.mu guards the results of scans. It
// is locked after Folder.scanning and never during I/O.
package docs
