// Package chunk turns the bytes of one file into chunks, the pieces that are searched (RFC 5.3): by syntax where a
// grammar is at hand, by headings for prose, by indentation and keywords for other languages, and by the RFC's
// recursive character splitter for everything else. It owns what a chunk is: its span, breadcrumb, symbols,
// language and ID.
//
// It must not know where bytes come from (no file is opened here), who stores the chunks or how they are ranked.
//
// Nothing is dropped: every line that is not blank stands in a chunk, in order and under its true number, unless the
// file needs more than MaxChunks chunks; then Info says from which line on it is cut.
//
// Trees come from a Syntax, in the app another process: nothing here is C. Trees is the same rules by parsers in this
// process (package treesitter), as the worker and tests have them.
//
// Goroutines: none are started. A Chunker may be used from many goroutines at once. Locks: Trees.mu, a leaf.
package chunk
