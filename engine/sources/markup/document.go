package markup

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"
	encoding "golang.org/x/text/encoding/unicode"

	"searchmcp/engine/files/codepage"
)

type Format string

// The value of each format is its usual file extension.
const (
	Markdown Format = "md"
	HTML     Format = "html"
	Text     Format = "txt"
)

// FormatOf returns the format that the extension of name indicates. ok is false for other extensions.
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

type Document struct {
	Format      Format
	Title       string
	Description string // at most 150 characters
	Abstract    string // the first informative paragraph, at most 300 characters
	Tags        []string
	Date        string // YYYY-MM-DD, or "" if unknown
	Source      string // http(s) URL from front matter, canonical link or "saved from", or ""
	Plain       string // searchable text, without markup, navigation, footers and asides
	Headings    []Heading
	Links       []Link
	Draft       bool // front matter has draft: true or published: false
	NoIndex     bool
	Redirect    bool
	Again       bool   // parsed as plain text because the parser did not run; parse again
	Cut         bool   // Plain is truncated to maxPlain or maxWords
	Body        string // Markdown or plain text from which Plain was made, with line ends "\n"
}

type Heading struct {
	Level  int
	Text   string
	Anchor string // id of an HTML heading, GitHub's anchor of a Markdown heading, or ""
	At     int
	Source int // offset of the heading's line in Body
}

type Link struct {
	Kind    LinkKind
	URL     string // URL, wiki page or citation key, depending on Kind
	Text    string
	Context string // the surrounding sentence as Markdown, at most about 300 characters
}

type LinkKind int

// Kinds of links: ordinary links, wiki links ([[page]]), and keys of a bibliography ([@key], \cite{key}).
const (
	Plain LinkKind = iota
	Wiki
	Key
)

const (
	maxDescription = 150 // characters, by the specification
	maxAbstract    = 300 // characters, about two sentences
	maxTitle       = 200 // characters
	maxContext     = 300

	// Limits of the searchable text. A book of a thousand pages has 3 MB and fewer than 60,000 different words. Each
	// word takes about 300 bytes in an index, so random words in a file could take a gigabyte.
	maxPlain = 8 << 20
	maxWords = 200_000
	maxBody  = 16 << 20 // bytes, the size of the largest document
)

// Parse parses a document in the format that the extension of name indicates. name is the default title. Parse never
// fails: broken HTML or front matter only results in fewer fields.
func Parse(name string, data []byte) Document {
	format, ok := FormatOf(name)
	if !ok {
		format = Text
	}
	d := Document{Format: format}
	if format == Text {
		data, d.Cut = head(data, maxPlain)
	}
	decode := decode
	if format == HTML {
		decode = decodeHTML
	}
	switch text := newLines(decode(data)); {
	case format == HTML:
		d.readHTML(text)
	case format == Markdown && !nested(text):
		d.readMarkdown(text)
	default:
		d.readText(text)
	}
	d.truncate()
	if d.Title = oneLine(d.Title, maxTitle); d.Title == "" {
		base := path.Base(strings.ReplaceAll(name, "\\", "/"))
		d.Title = strings.TrimSuffix(base, path.Ext(base))
	}
	d.Abstract = oneLine(withoutLead(cmp.Or(d.Abstract, d.Description)), maxAbstract)
	d.Description = oneLine(d.Description, maxDescription)
	if d.Tags == nil {
		d.Tags = []string{}
	}
	return d
}

func (d *Document) truncate() {
	n := min(len(d.Plain), maxPlain)
	for n < len(d.Plain) && !utf8.RuneStart(d.Plain[n]) {
		n--
	}
	seen, seed, start := map[uint64]bool{}, maphash.MakeSeed(), -1
	for i, r := range d.Plain[:n] {
		switch inWord := unicode.IsLetter(r) || unicode.IsDigit(r); {
		case n < 2*maxWords: // too short for maxWords words
		case inWord && start < 0:
			start = i
		case !inWord && start >= 0:
			seen[maphash.String(seed, d.Plain[start:i])], start = true, -1
		}
		if len(seen) > maxWords {
			n = i
			break
		}
	}
	d.Plain, d.Cut = d.Plain[:n], d.Cut || n < len(d.Plain)
	d.Body = d.Body[:min(len(d.Body), maxBody)]
	for i := range d.Headings {
		h := &d.Headings[i]
		h.At, h.Source = min(h.At, len(d.Plain)), min(h.Source, len(d.Body))
	}
}

// head returns at most the first n bytes of data, without a partial last character.
func head(data []byte, n int) (_ []byte, cut bool) {
	if len(data) <= n {
		return data, false
	}
	for end := n; end > n-utf8.UTFMax; end-- {
		if utf8.RuneStart(data[end]) {
			return data[:end], true
		}
	}
	return data[:n], true
}

const maxNesting = 100

// nested reports whether a line begins more than maxNesting quotes and lists. The parser is slow for such lines.
func nested(text string) bool {
	for line := range strings.Lines(text) {
		for depth := 0; ; depth++ {
			line = strings.TrimLeft(line, " \t")
			digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
			switch {
			case depth > maxNesting:
				return true
			case strings.HasPrefix(line, ">"):
				line = line[1:]
				continue
			case len(line) > 1 && strings.ContainsRune("-+*", rune(line[0])) && (line[1] == ' ' || line[1] == '\t'):
				line = line[2:]
				continue
			case digits > 0 && digits < 10 && len(line) > digits+1 && strings.ContainsRune(".)", rune(line[digits])) &&
				line[digits+1] == ' ':
				line = line[digits+2:]
				continue
			}
			break
		}
	}
	return false
}

func Content(name string, data []byte) string {
	if f, _ := FormatOf(name); f != HTML {
		return decode(data)
	}
	return pageContent(newLines(decodeHTML(data)))
}

func (d *Document) readText(s string) {
	title, rest, _ := strings.Cut(s, "\n")
	d.Title = title
	d.Description = strings.Join(strings.SplitN(rest, "\n", 4)[:min(3, 1+strings.Count(rest, "\n"))], " ")
	d.Plain, d.Body = s, s
}

// decode detects the encoding of a file and converts its text to UTF-8.
func decode(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		if out, err := encoding.UTF16(encoding.LittleEndian, encoding.UseBOM).NewDecoder().Bytes(data); err == nil {
			return string(out)
		}
	}
	if g, ok := codepage.Decode(string(data)); ok {
		return g.Text
	}
	if codepage.MostlyUTF8(string(data)) {
		return strings.ToValidUTF8(string(data), "\ufffd")
	}
	out, _ := charmap.Windows1252.NewDecoder().Bytes(data) // never fails, because every byte is a character
	return string(out)
}

const undeclared = "windows-1252"

func decodeHTML(data []byte) string {
	if !utf8.Valid(data) {
		if e, name, _ := charset.DetermineEncoding(data, ""); e != nil && !strings.EqualFold(name, "utf-8") &&
			name != undeclared {
			if out, err := e.NewDecoder().Bytes(data); err == nil {
				return string(out)
			}
		}
	}
	return decode(data)
}

func newLines(s string) string {
	s = strings.TrimPrefix(s, "\ufeff")
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

func oneLine(s string, n int) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word[:min(len(word), utf8.UTFMax*n+1)])
		if b.Len() > utf8.UTFMax*n {
			break
		}
	}
	if s = b.String(); utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	cut := string(runes[:n-3])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:-–") + cutMark
}

const cutMark = "..."

// withoutLead removes a last sentence that ends with a colon, such as "For example:", from a paragraph.
func withoutLead(s string) string {
	if s = strings.TrimSpace(s); strings.HasSuffix(s, ":") {
		if i := strings.LastIndex(s, ". "); i > 0 {
			return s[:i+1]
		}
	}
	return s
}

// Section returns the part of a document from the heading with the given anchor to the next heading of the same or a
// higher level. A part above 32 KB ends at the next heading.
func (d *Document) Section(anchor string) (text string, found bool) {
	const long = 32 << 10
	for i, h := range d.Headings {
		if h.Anchor != anchor || anchor == "" {
			continue
		}
		end, next := len(d.Body), len(d.Body)
		for j, k := range d.Headings[i+1:] {
			if j == 0 {
				next = k.Source
			}
			if k.Level <= h.Level {
				end = k.Source
				break
			}
		}
		if end-h.Source > long {
			end = next
		}
		return strings.TrimSpace(d.Body[h.Source:max(h.Source, end)]), true
	}
	return "", false
}

// HeadingBefore returns the last heading before an offset in Plain, or nil.
func (d *Document) HeadingBefore(at int) *Heading {
	for _, h := range slices.Backward(d.Headings) {
		if h.At <= at {
			return &h
		}
	}
	return nil
}
