package markup

import (
	"context"
	"path"
	"slices"
	"strings"
)

// Reader parses untrusted documents. They may make parsers loop or recurse without end, so the app's Reader uses
// another process. InProcess is for that process and for tests.
type Reader interface {
	// Parse is like the function Parse, but treats as text a document that crashes the parser.
	Parse(ctx context.Context, name string, data []byte) Document
	// Content is like the function Content, but returns unchanged a document that crashes the parser.
	Content(ctx context.Context, name string, data []byte) string
}

// AsText reads a document of any format as plain text in linear time.
func AsText(name string, data []byte) Document {
	return Parse(strings.TrimSuffix(name, path.Ext(name))+".txt", data)
}

// InProcess is a Reader that parses in this process.
type InProcess struct{}

func (InProcess) Parse(_ context.Context, name string, data []byte) Document {
	return Parse(name, data)
}

func (InProcess) Content(_ context.Context, name string, data []byte) string {
	return Content(name, data)
}

// Valid reports whether a document's offsets are in range. A compromised parser may return others.
func (d Document) Valid() bool {
	return !slices.ContainsFunc(d.Headings, func(h Heading) bool {
		return h.Source < 0 || h.Source > len(d.Body) || h.At < 0 || h.At > len(d.Plain)
	})
}
