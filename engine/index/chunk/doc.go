// Package chunk cuts a file into chunks, the units of search (RFC 5.3). Files are cut by syntax if their language has a
// grammar, by headings in prose, by indentation and keywords in other languages, and otherwise with the RFC's recursive
// character splitter.
//
// It must not depend on the origin of the bytes, the store or the ranking.
//
// Every non-blank line is in a chunk, in order and with its true number, up to MaxChunks chunks.
//
// The interface Syntax cuts files along syntax trees. Parsers are C code, so the app's implementation calls another
// process. Trees implements Syntax in the worker process and in tests.
//
// The package has no goroutines or locks. A Chunker is safe for concurrent use.
package chunk
