// Package docs serves a folder's documents (docs/specification.md#documents). It lists them with title, description and
// tags, returns their content, with HTML as Markdown, and searches in titles and contents. Every path is checked by
// policy.
//
// It must not depend on projects, sessions or MCP. The caller decides which folders a session has. The list remains in
// memory. The words of the contents are unloaded when they are not used, and read again for a search. The package
// starts no goroutine. Folder.scanning is locked during scans and their I/O. Folder.mu guards the results of scans. It
// is locked after Folder.scanning and never during I/O.
package docs
