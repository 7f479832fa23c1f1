// Package markup parses documents: it turns the bytes of a Markdown, HTML or plain-text file into a title, a
// description, tags, a date, the text and the links (with the priorities of docs/specification.md#documents).
//
// It is the sole importer of goldmark, readability, the front-matter and html-to-markdown libraries and x/net/html.
// It must not know files, folders or the use of a document. It starts no goroutine and has no lock.
package markup
