// Package chunk splits the bytes of a file into chunks, the units of search (RFC 5.3). It splits by syntax if the
// language has a grammar, by headings in prose, by indentation and keywords in other languages, and otherwise with the
// RFC's recursive character splitter. It defines a chunk's span, breadcrumb, symbols, language and ID.
//
// It must not depend on the origin of the bytes, the store or the ranking.
//
// Every non-blank line is in a chunk, in order and with its true number. If the file needs more than MaxChunks chunks,
// Info.CutFrom is the first missing line.
//
// The interface Syntax cuts files along syntax trees. Parsers are C code, so the app's implementation calls another
// process. Trees implements Syntax in the worker process and in tests.
//
// The package has no goroutines or locks. A Chunker is safe for concurrent use.
package chunk
