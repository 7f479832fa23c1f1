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
	// Pages takes the pages out of a file that holds some: saved pages, a PDF. The error is a PagesError, and some pages
	// may come beside it.
	Pages(ctx context.Context, name string, data []byte) ([]Page, error)
}

// Page is one page or paper out of a file that holds some.
type Page struct {
	Address string // where it was saved from, "" if the file does not say
	Date    string // when, YYYY-MM-DD, or ""
	Text    []byte // HTML; of a PDF its text, the title on the first line
}

// PagesError is why a file gives no pages. The texts follow the file's name.
type PagesError string

// Error implements error.
func (e PagesError) Error() string { return string(e) }

// The reasons that no file's reader has of its own.
const (
	ErrNoPages = PagesError("there is no page in it")
	ErrTooMuch = PagesError("there is too much in it")
	ErrDamaged = PagesError("it is damaged, or no file of the kind that its name says")
	ErrUnread  = PagesError("reading it takes more time or memory than any such file should")
	ErrNotNow  = PagesError("a part of Search MCP that reads such files can't run now")
)

// AsText reads a document of any format as plain text, in time that its length bounds.
func AsText(name string, data []byte) Document {
	return Parse(strings.TrimSuffix(name, path.Ext(name))+".txt", data)
}

// InProcess is a Reader in this process, without pages.
type InProcess struct{}

// Parse implements Reader.
func (InProcess) Parse(_ context.Context, name string, data []byte) Document {
	return Parse(name, data)
}

// Content implements Reader.
func (InProcess) Content(_ context.Context, name string, data []byte) string {
	return Content(name, data)
}

// Pages implements Reader.
func (InProcess) Pages(context.Context, string, []byte) ([]Page, error) { return nil, ErrNotNow }

// Valid reports whether a document's places are within it. What read it may have been led astray by what it read.
func (d Document) Valid() bool {
	return !slices.ContainsFunc(d.Headings, func(h Heading) bool {
		return h.Source < 0 || h.Source > len(d.Body) || h.At < 0 || h.At > len(d.Plain)
	})
}

// Kind is what kind of file holds pages.
type Kind string

// The kinds.
const (
	MHTML      Kind = "MHTML"
	WebArchive Kind = "webarchive"
	WARC       Kind = "WARC"
	PDF        Kind = "PDF"
)

var kinds = []struct {
	end  string
	kind Kind
}{{".mhtml", MHTML}, {".mht", MHTML}, {".webarchive", WebArchive}, {".warc", WARC}, {".warc.gz", WARC}, {".pdf", PDF}}

// Holds tells the kind of a file that holds pages by its name; ok is false for everything else.
func Holds(name string) (kind Kind, ok bool) {
	name = strings.ToLower(name)
	for _, k := range kinds {
		if strings.HasSuffix(name, k.end) {
			return k.kind, true
		}
	}
	return "", false
}
