// Package markup parses Markdown, HTML and plain-text files. It extracts the title, description, tags, date, text and
// links as docs/specification.md#documents prescribes.
//
// Only this package imports goldmark, readability, the front-matter and html-to-markdown libraries and x/net/html. It
// must not depend on files, folders or the use of documents. It starts no goroutine and has no lock.
package markup
