package archive

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"howett.net/plist"

	"searchmcp/engine/markup"
	"searchmcp/engine/pdf"
	"searchmcp/engine/policy"
)

// page is one page or paper out of a file that holds some.
type page struct {
	address string // where it was saved from, "" if the file does not say
	date    string // when, YYYY-MM-DD, or ""
	text    []byte // HTML; of a PDF its text, the title on the first line
}

// container is a kind of file that holds pages.
type container struct {
	ends   []string // of its names
	format markup.Format
	pages  func(data []byte) ([]page, error)
}

var containers = []container{
	{[]string{".mhtml", ".mht"}, markup.HTML, mhtml},
	{[]string{".webarchive"}, markup.HTML, webArchive},
	{[]string{".warc", ".warc.gz"}, markup.HTML, warc},
	{[]string{".pdf"}, markup.Text, paper},
}

// containerOf finds a file's kind by its name, nil for a document of one page.
func containerOf(rel string) *container {
	name := strings.ToLower(rel)
	for i := range containers {
		if slices.ContainsFunc(containers[i].ends, func(end string) bool { return strings.HasSuffix(name, end) }) {
			return &containers[i]
		}
	}
	return nil
}

// Why a file gives no pages. The texts follow the file's name.
var (
	errNoPages = errors.New("there is no page in it")
	errTooMuch = errors.New("there is too much in it")
	errDamaged = errors.New("it is damaged, or no file of the kind that its name says")
)

// Marks between the pages of a container while policy looks for secrets in them, and between address, date and text.
const (
	recordMark = "\x1e"
	fieldMark  = "\x1f"
)

// read takes the pages out of a file, under policy. why says in words for a person what keeps it out.
func (c *container) read(p *policy.Policy, rel string) (pages []page, stamp policy.Stamp, why string, unreadable bool) {
	failed := error(nil)
	data, stamp, reason, err := p.ReadAs(rel, func(data []byte) ([]byte, bool) {
		var pages []page
		if pages, failed = c.pages(data); failed == nil && len(pages) == 0 {
			failed = errNoPages
		}
		var all bytes.Buffer
		for _, p := range pages {
			all.WriteString(recordMark + p.address + fieldMark + p.date + fieldMark)
			all.Write(bytes.Map(func(r rune) rune {
				if r == 0 || r == 0x1e {
					return ' '
				}
				return r
			}, bytes.ToValidUTF8(p.text, []byte("\ufffd"))))
		}
		return all.Bytes(), failed == nil
	})
	switch {
	case failed != nil:
		return nil, stamp, failed.Error(), false
	case reason != "":
		return nil, stamp, reason.InWords(), true
	case err != nil:
		return nil, stamp, "it can't be read", true
	}
	for record := range strings.SplitSeq(string(data), recordMark) {
		if f := strings.SplitN(record, fieldMark, 3); len(f) == 3 {
			pages = append(pages, page{f[0], f[1], []byte(f[2])})
		}
	}
	return pages, stamp, "", false
}

// document is a page of a container as a document.
func (c *container) document(p page) markup.Document {
	d := markup.Parse("page."+string(c.format), p.text)
	if d.Title == "page" { // it has none
		d.Title = ""
	}
	if d.Source == "" && markup.Web(p.address) {
		d.Source = p.address
	}
	if d.Date == "" {
		d.Date = p.date
	}
	if c.format == markup.Text { // addresses and DOIs are found where Markdown is read
		d.Links = markup.Parse("page.md", p.text).Links
	}
	return d
}

// paperTime is how long the text of one PDF may take: a book of a thousand pages takes ten seconds.
const paperTime = 30 * time.Second

// paper reads a PDF.
func paper(data []byte) ([]page, error) {
	d, err := pdf.Read(data, paperTime)
	if err != nil {
		for _, known := range []error{pdf.ErrEncrypted, pdf.ErrNoText, pdf.ErrTooLong} {
			if errors.Is(err, known) {
				return nil, known
			}
		}
		return nil, errDamaged
	}
	text := d.Text
	if d.Title != "" && !strings.HasPrefix(text, d.Title+"\n") {
		text = d.Title + "\n\n" + text
	}
	return []page{{date: d.Date, text: []byte(text)}}, nil
}

// webArchive reads a page that Safari saved: a property list.
func webArchive(data []byte) ([]page, error) {
	var saved struct {
		Main struct {
			Data     []byte `plist:"WebResourceData"`
			MIMEType string `plist:"WebResourceMIMEType"`
			URL      string `plist:"WebResourceURL"`
			Encoding string `plist:"WebResourceTextEncodingName"`
		} `plist:"WebMainResource"`
	}
	if _, err := plist.Unmarshal(data, &saved); err != nil {
		return nil, errDamaged
	}
	if m := saved.Main; len(m.Data) > 0 && isPage(m.MIMEType) {
		return []page{{address: m.URL, text: markup.Decode(m.Data, m.Encoding)}}, nil
	}
	return nil, errNoPages
}

// isPage reports the media type of a page.
func isPage(kind string) bool {
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// mhtml takes the page out of a web archive in one file (RFC 2557): the first part that is HTML.
func mhtml(data []byte) ([]page, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil, errDamaged
	}
	saved := page{address: m.Header.Get("Snapshot-Content-Location")}
	if t, err := m.Header.Date(); err == nil {
		saved.date = t.UTC().Format(time.DateOnly)
	}
	take := func(kind string, body io.Reader, encoding string) error {
		_, parameters, _ := mime.ParseMediaType(kind)
		text, err := io.ReadAll(decoded(body, encoding))
		saved.text = markup.Decode(text, parameters["charset"])
		return err
	}
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return nil, errDamaged
	case isPage(kind):
		if err := take(m.Header.Get("Content-Type"), m.Body, m.Header.Get("Content-Transfer-Encoding")); err != nil {
			return nil, errDamaged
		}
		return []page{saved}, nil
	}
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, errNoPages
		case err != nil:
			return nil, errDamaged
		}
		if kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); !isPage(kind) {
			continue
		}
		if saved.address == "" {
			saved.address = part.Header.Get("Content-Location")
		}
		if err := take(part.Header.Get("Content-Type"), part, part.Header.Get("Content-Transfer-Encoding")); err != nil {
			return nil, errDamaged
		}
		return []page{saved}, nil
	}
}

func decoded(r io.Reader, encoding string) io.Reader {
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, r)
	}
	return r
}

// Limits of a WARC, which may be compressed a thousandfold.
const (
	maxUnpacked = 1 << 30  // bytes of the whole
	maxWebPage  = 16 << 20 // bytes of a page
	maxPages    = 10_000   // of one file
)

// warc takes the pages out of a web archive (ISO 28500): the answers of servers that are HTML, each address once, the
// last one. Answers to anything but a page, and pages in encodings that only browsers know (br, zstd), are passed over.
func warc(data []byte) ([]page, error) {
	in := io.Reader(bytes.NewReader(data))
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in) // each record is a member of its own, which the reader joins
		if err != nil {
			return nil, errDamaged
		}
		in = z
	}
	rest := io.LimitReader(in, maxUnpacked)
	r := bufio.NewReader(rest)
	var pages []page
	at := map[string]int{}
	for {
		record, err := nextRecord(r)
		switch {
		case errors.Is(err, io.EOF):
			return pages, nil
		case err != nil && len(pages) == 0:
			return nil, errDamaged
		case err != nil: // cut off: what came before it is whole
			return pages, nil
		}
		p, ok := record.page()
		if _, err := io.Copy(io.Discard, record.block); err != nil {
			return pages, nil
		}
		if i, known := at[p.address]; ok && known {
			pages[i] = p
		} else if ok {
			if len(pages) == maxPages {
				return nil, errTooMuch
			}
			at[p.address] = len(pages)
			pages = append(pages, p)
		}
	}
}

// record is one of a WARC's, its block to be read before the next one.
type record struct {
	header textproto.MIMEHeader
	block  io.Reader
}

func nextRecord(r *bufio.Reader) (record, error) {
	version := ""
	for version == "" { // records end in two empty lines
		line, err := r.ReadString('\n')
		if version = strings.TrimSpace(line); version == "" && err != nil {
			return record{}, err
		}
	}
	if !strings.HasPrefix(version, "WARC/") {
		return record{}, errDamaged
	}
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return record{}, errDamaged
	}
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || length < 0 {
		return record{}, errDamaged
	}
	return record{header, io.LimitReader(r, length)}, nil
}

// page is the page that a record holds, if it holds one.
func (r record) page() (page, bool) {
	p := page{address: strings.Trim(r.header.Get("WARC-Target-URI"), "<>")}
	if day := r.header.Get("WARC-Date"); len(day) >= len(time.DateOnly) {
		p.date = day[:len(time.DateOnly)]
	}
	body, kind, encoding := r.block, r.header.Get("Content-Type"), ""
	switch r.header.Get("WARC-Type") {
	case "response":
		answer, err := http.ReadResponse(bufio.NewReader(r.block), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			return p, false
		}
		defer answer.Body.Close()
		body, kind, encoding = answer.Body, answer.Header.Get("Content-Type"), answer.Header.Get("Content-Encoding")
	case "resource", "conversion":
	default:
		return p, false
	}
	media, parameters, _ := mime.ParseMediaType(kind)
	if !isPage(media) || p.address == "" {
		return p, false
	}
	switch strings.ToLower(encoding) {
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(body)
		if err != nil {
			return p, false
		}
		body = z
	case "deflate":
		body = flate.NewReader(body)
	case "", "identity":
	default:
		return p, false
	}
	text, err := io.ReadAll(io.LimitReader(body, maxWebPage))
	p.text = markup.Decode(text, parameters["charset"])
	return p, err == nil && len(text) > 0
}
