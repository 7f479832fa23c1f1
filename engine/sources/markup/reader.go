package markup

import (
	"context"
	"path"
	"slices"
	"strings"
)

// Reader parses untrusted documents. A document may make its parser loop or recurse endlessly, so the app's Reader
// parses in another process.
type Reader interface {
	Parse(ctx context.Context, name string, data []byte) Document
	Content(ctx context.Context, name string, data []byte) string
}

func AsText(name string, data []byte) Document {
	return Parse(strings.TrimSuffix(name, path.Ext(name))+".txt", data)
}

type InProcess struct{}

func (InProcess) Parse(_ context.Context, name string, data []byte) Document {
	return Parse(name, data)
}

func (InProcess) Content(_ context.Context, name string, data []byte) string {
	return Content(name, data)
}

// Valid reports whether a document's offsets are in range. A compromised parser may return other offsets.
func (d Document) Valid() bool {
	return !slices.ContainsFunc(d.Headings, func(h Heading) bool {
		return h.Source < 0 || h.Source > len(d.Body) || h.At < 0 || h.At > len(d.Plain)
	})
}
