// Package chunk splits the bytes of a file into chunks, the units of search (RFC 5.3): by syntax if there is a
// grammar, by headings for prose, by indentation and keywords for other languages, and by the RFC's recursive
// character splitter otherwise. It owns the definition of a chunk: its span, breadcrumb, symbols, language and ID.
//
// It must not know the origin of the bytes (it opens no file), the store or the ranking.
//
// No text is dropped: every line that is not blank is in a chunk, in order and with its true number, unless the
// file needs more than MaxChunks chunks; then Info has the first missing line.
//
// Trees come from a Syntax, in the app another process: this package does not use C. Trees applies the same rules
// with parsers in this process (package treesitter), for the worker and tests.
//
// Goroutines: none are started. A Chunker is safe for concurrent use. Locks: Trees.mu, a leaf.
package chunk
