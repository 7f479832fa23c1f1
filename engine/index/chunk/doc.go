// Package chunk splits the bytes of a file into chunks, the units of search (RFC 5.3). It splits by syntax if the
// language has a grammar, by headings in prose, by indentation and keywords in other languages, and otherwise with the
// RFC's recursive character splitter. It owns the definition of a chunk: span, breadcrumb, symbols, language and ID.
//
// It must not know the origin of the bytes (it opens no files), the store or the ranking.
//
// No text is dropped: every non-blank line is in a chunk, in order and with its true number. If the file needs more
// than MaxChunks chunks, Info has the first missing line.
//
// Syntax trees come from a Syntax, which is another process in the app, because this package does not use C. For the
// worker and tests, the type Trees applies the same rules with parsers in this process (package treesitter).
//
// The package starts no goroutines. A Chunker is safe for concurrent use. The only lock is Trees.mu, a leaf.
package chunk
