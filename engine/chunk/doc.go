// Package chunk turns the bytes of one file into chunks, the pieces that are searched (RFC 5.3): by syntax where a
// grammar is at hand, by headings for prose, by indentation and keywords for other languages, and by the RFC's recursive
// character splitter for everything else. It owns what a chunk is: its span, breadcrumb, symbols, language and ID.
//
// It must not know where bytes come from (no file is opened here), who stores the chunks or how they are ranked.
//
// Nothing is dropped: every line that is not blank stands in a chunk, in order and under its true number, unless the
// file needs more than MaxChunks chunks; then Info says from which line on it is cut.
//
// Native code: package sitter (tree-sitter) parses; no other package imports it. A parse has a time limit, and the
// caller can note which file a parser is working on (Options.Busy), so that after a crash the file goes to the splitter
// (Options.Skip). On Linux a tree stands in memory of its own (region); what the library hands out is therefore not the C library's to
// free, which sitter.Node.String tries: it must not be called.
//
// Goroutines: none are started. A Chunker may be used from many goroutines at once; a parser and the
// memory of its tree belong to one call. Locks: none of its own.
package chunk
