package markup

import (
	"context"
	"path"
	"slices"
	"strings"
)

// Reader reads what strangers wrote. Its readers recurse and repeat as their input has them, so the app's works in a
// process that may die; InProcess is for tests and for that process.
type Reader interface {
	// Parse is the function Parse; what cannot be parsed is read as text.
	Parse(ctx context.Context, name string, data []byte) Document
	// Content is the function Content; what cannot be converted is given as it stands.
	Content(ctx context.Context, name string, data []byte) string
}

// AsText reads a document of any format as plain text, in time that its length bounds.
func AsText(name string, data []byte) Document {
	return Parse(strings.TrimSuffix(name, path.Ext(name))+".txt", data)
}

// InProcess is a Reader in this process.
type InProcess struct{}

// Parse implements Reader.
func (InProcess) Parse(_ context.Context, name string, data []byte) Document {
	return Parse(name, data)
}

// Content implements Reader.
func (InProcess) Content(_ context.Context, name string, data []byte) string {
	return Content(name, data)
}

// Valid reports whether a document's places are within it. What read it may have been led astray by what it read.
func (d Document) Valid() bool {
	return !slices.ContainsFunc(d.Headings, func(h Heading) bool {
		return h.Source < 0 || h.Source > len(d.Body) || h.At < 0 || h.At > len(d.Plain)
	})
}
