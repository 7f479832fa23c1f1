// Package pdf takes the text out of PDF files, in lines and paragraphs as they stand on the page.
//
// The file's structure, streams, fonts and encodings are read by a library, of which it is the sole importer; the
// library's own text has no spaces between words that are placed one by one, so where words and lines end is found
// out here, from where the glyphs stand (ISO 32000-1, 9.4). It must not know files or what becomes of the text. It
// starts no goroutine and holds no lock. The library's panics are errors; what it
// recurses or repeats without an end is for the process that it runs in to bound.
//
// What it does not do: read pictures of text (scans), follow columns other than in the order in which the file has
// them, or tell headings from text.
package pdf
