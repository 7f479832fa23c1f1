// Package docs serves a folder's documents (docs/specification.md#documents). Package policy checks every path. The
// list of documents remains in memory. The full-text index is freed when it has not been used for a while.
//
// It must not depend on projects, sessions or MCP. It starts no goroutine. Folder.scanning is locked during scans and
// their I/O. Folder.mu guards the results of scans. It is locked after Folder.scanning and never during I/O.
package docs
