// Package docs serves a folder's documents (docs/specification.md#documents): which there are, with title,
// description and tags; their content, HTML as Markdown; and a search in titles and contents. Every path passes policy.
//
// It must not know projects, sessions or MCP; the caller decides which folders a session has. The list stays in memory;
// the words of the contents are given up when nobody searches and read again when somebody does. It starts no
// goroutine. Folder.scanning serializes scans and is held over their I/O, because it is the list's single writer;
// Folder.mu guards what a scan has found, is taken after it and is held over no I/O.
package docs
