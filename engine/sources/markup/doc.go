// Package markup reads documents: the bytes of a Markdown, HTML or plain-text file become a title, a description, tags,
// a date, the text and the links (the priorities are those of docs/specification.md#documents).
//
// It is the sole importer of goldmark, readability, the front-matter and html-to-markdown libraries and x/net/html. It
// must not know files, folders or what becomes of a document: bytes in, values out. It starts no goroutine and holds no
// lock.
package markup
