package markup

import (
	"context"
	"path"
	"slices"
	"strings"
)

// Reader parses untrusted documents. The input may make parsers loop or recurse without end, so the app's Reader works
// in a process that may crash. InProcess is for tests and for that process.
type Reader interface {
	// Parse is like the function Parse, but reads input that cannot be parsed as text.
	Parse(ctx context.Context, name string, data []byte) Document
	// Content is like the function Content, but returns input that cannot be converted unchanged.
	Content(ctx context.Context, name string, data []byte) string
}

// AsText reads a document of any format as plain text in linear time.
func AsText(name string, data []byte) Document {
	return Parse(strings.TrimSuffix(name, path.Ext(name))+".txt", data)
}

// InProcess is a Reader that works in this process.
type InProcess struct{}

func (InProcess) Parse(_ context.Context, name string, data []byte) Document {
	return Parse(name, data)
}

func (InProcess) Content(_ context.Context, name string, data []byte) string {
	return Content(name, data)
}

// Valid reports whether a document's offsets are in range. They may not be, because the input may have compromised the
// parser.
func (d Document) Valid() bool {
	return !slices.ContainsFunc(d.Headings, func(h Heading) bool {
		return h.Source < 0 || h.Source > len(d.Body) || h.At < 0 || h.At > len(d.Plain)
	})
}
