package markup

import (
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// Format is how a document is written.
type Format string

// The formats, by their file extension.
const (
	Markdown Format = "md"
	HTML     Format = "html"
	Text     Format = "txt"
)

// FormatOf tells a file's format by its name; ok is false for everything that is no document. ".htm", ".markdown" and
// ".text" are the same formats under their other names.
func FormatOf(name string) (f Format, ok bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return Markdown, true
	case ".html", ".htm":
		return HTML, true
	case ".txt", ".text":
		return Text, true
	}
	return "", false
}

// Document is what a file says about itself, and its content in the forms that are served and searched.
type Document struct {
	Format      Format
	Title       string
	Description string   // at most 150 characters
	Tags        []string // never nil
	Date        string   // YYYY-MM-DD, "" if the document names none
	Source      string   // where it came from (front matter, canonical link, «saved from»), an http(s) URL or ""
	Content     string   // what a reader is given: Markdown as it stands, HTML as Markdown, text as it stands
	Plain       string   // without markup; of HTML without navigation, footer and asides: what is searched
	Headings    []Heading
	Links       []Link
}

// Heading is one heading of a document.
type Heading struct {
	Level int
	Text  string
}

// Link is one link of a document, in the order of the text.
type Link struct {
	URL     string
	Text    string
	Context string // the sentence around it as Markdown, at most about 300 characters
}

// Limits of what is derived from a document.
const (
	maxDescription = 150 // characters; the specification's
	maxTitle       = 200 // characters: a title is shown on a line; only a first line that is a paragraph is longer
	maxContext     = 300 // characters: a long sentence
)

// Parse reads a document; name gives its format and the title of last resort. It never fails: a broken front matter or
// tag soup gives less, not nothing. A name that is no document's is read as text.
func Parse(name string, data []byte) Document {
	format, ok := FormatOf(name)
	if !ok {
		format = Text
	}
	d := Document{Format: format}
	switch format {
	case HTML:
		d.readHTML(decodeHTML(data))
	case Markdown:
		d.readMarkdown(decode(data))
	default:
		d.readText(decode(data))
	}
	if d.Title = oneLine(d.Title, maxTitle); d.Title == "" {
		base := path.Base(strings.ReplaceAll(name, "\\", "/"))
		d.Title = strings.TrimSuffix(base, path.Ext(base))
	}
	d.Description = oneLine(d.Description, maxDescription)
	if d.Tags == nil {
		d.Tags = []string{}
	}
	return d
}

// readText reads plain text: the first line is the title, lines 2 to 4 the description.
func (d *Document) readText(s string) {
	lines := strings.SplitN(s, "\n", 5)
	d.Title = lines[0]
	if len(lines) > 1 {
		d.Description = strings.Join(lines[1:min(len(lines), 4)], " ")
	}
	d.Content, d.Plain = s, s
}

// decode makes a file's bytes a string: byte order mark off, line ends "\n", invalid UTF-8 as U+FFFD.
func decode(data []byte) string {
	s := strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

// decodeHTML does the same by the encoding that the page declares, where it is not valid UTF-8.
func decodeHTML(data []byte) string {
	if !utf8.Valid(data) {
		if e, _, _ := charset.DetermineEncoding(data, ""); e != nil {
			if converted, err := e.NewDecoder().Bytes(data); err == nil {
				data = converted
			}
		}
	}
	return decode(data)
}

// oneLine joins white space to single spaces and cuts at a word, within n characters, marking the cut by three dots.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	cut := string(runes[:n-3])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:-–") + "..."
}
