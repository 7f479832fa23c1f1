// Package saved takes pages out of files that hold some: web archives of browsers and crawlers, and PDF.
//
// It is the worker's: what such a file has its readers do is bounded by the process that they run in.
package saved

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"howett.net/plist"

	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/pdf"
)

// Pages takes the pages out of a file, by the kind that its name says (markup.Holds).
func Pages(name string, data []byte) ([]markup.Page, error) {
	kind, _ := markup.Holds(name)
	pages, err := readers[kind](data)
	if err == nil && len(pages) == 0 {
		err = markup.ErrNoPages
	}
	return pages, err
}

var readers = map[markup.Kind]func([]byte) ([]markup.Page, error){
	"":           func([]byte) ([]markup.Page, error) { return nil, markup.ErrDamaged },
	markup.MHTML: mhtml, markup.WebArchive: webArchive, markup.WARC: warc, markup.PDF: paper,
}

// paperTime is how long the text of one PDF may take, less than the process has: a book of a thousand pages takes ten
// seconds.
const paperTime = 20 * time.Second

// paper reads a PDF.
func paper(data []byte) ([]markup.Page, error) {
	d, err := pdf.Read(data, paperTime)
	if err != nil {
		for _, known := range []error{pdf.ErrEncrypted, pdf.ErrNoText, pdf.ErrTooLong} {
			if errors.Is(err, known) {
				return nil, markup.PagesError(known.Error())
			}
		}
		return nil, markup.ErrDamaged
	}
	text := d.Text
	if d.Title != "" && !strings.HasPrefix(text, d.Title+"\n") {
		text = d.Title + "\n\n" + text
	}
	return []markup.Page{{Date: d.Date, Text: []byte(text)}}, nil
}

// webArchive reads a page that Safari saved: a property list.
func webArchive(data []byte) ([]markup.Page, error) {
	var saved struct {
		Main struct {
			Data     []byte `plist:"WebResourceData"`
			MIMEType string `plist:"WebResourceMIMEType"`
			URL      string `plist:"WebResourceURL"`
			Encoding string `plist:"WebResourceTextEncodingName"`
		} `plist:"WebMainResource"`
	}
	if _, err := plist.Unmarshal(data, &saved); err != nil {
		return nil, markup.ErrDamaged
	}
	if m := saved.Main; len(m.Data) > 0 && isPage(m.MIMEType) {
		return []markup.Page{{Address: m.URL, Text: markup.Decode(m.Data, m.Encoding)}}, nil
	}
	return nil, markup.ErrNoPages
}

// isPage reports the media type of a page.
func isPage(kind string) bool {
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// mhtml takes the page out of a web archive in one file (RFC 2557): the first part that is HTML.
func mhtml(data []byte) ([]markup.Page, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil, markup.ErrDamaged
	}
	one := markup.Page{Address: m.Header.Get("Snapshot-Content-Location")}
	if t, err := m.Header.Date(); err == nil {
		one.Date = t.UTC().Format(time.DateOnly)
	}
	header, body := textproto.MIMEHeader(m.Header), m.Body
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return nil, markup.ErrDamaged
	}
	for parts := multipart.NewReader(m.Body, parameters["boundary"]); !isPage(kind); {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, markup.ErrNoPages
		case err != nil:
			return nil, markup.ErrDamaged
		}
		header, body = part.Header, part
		if kind, parameters, _ = mime.ParseMediaType(header.Get("Content-Type")); isPage(kind) {
			one.Address = cmp.Or(one.Address, header.Get("Content-Location"))
		}
	}
	text, err := io.ReadAll(decoded(body, header.Get("Content-Transfer-Encoding")))
	if err != nil {
		return nil, markup.ErrDamaged
	}
	one.Text = markup.Decode(text, parameters["charset"])
	return []markup.Page{one}, nil
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
	maxText     = 24 << 20 // bytes of all pages, which are in memory together
	maxPages    = 10_000   // of one file
)

// warc takes the pages out of a web archive (ISO 28500): the answers of servers that are HTML or text, each address
// once, the last one. Answers to anything but a page, and pages in encodings that only browsers know (br, zstd), are
// passed over.
func warc(data []byte) ([]markup.Page, error) {
	in := io.Reader(bytes.NewReader(data))
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in) // each record is a member of its own, which the reader joins
		if err != nil {
			return nil, markup.ErrDamaged
		}
		in = z
	}
	rest := io.LimitReader(in, maxUnpacked)
	r := bufio.NewReader(rest)
	var pages []markup.Page
	at := map[string]int{}
	left := maxText
	for {
		record, err := nextRecord(r)
		switch {
		case errors.Is(err, io.EOF):
			return pages, nil
		case err != nil && len(pages) == 0:
			return nil, markup.ErrDamaged
		case err != nil: // cut off: what came before it is whole
			return pages, nil
		}
		p, ok := record.page()
		if _, err := io.Copy(io.Discard, record.block); err != nil {
			return pages, nil
		}
		if !ok {
			continue
		}
		i, known := at[p.Address]
		if left -= len(p.Text); left < 0 || !known && len(pages) == maxPages {
			return pages, markup.ErrTooMuch
		}
		if known {
			pages[i] = p
		} else {
			at[p.Address] = len(pages)
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
		return record{}, markup.ErrDamaged
	}
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return record{}, markup.ErrDamaged
	}
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || length < 0 {
		return record{}, markup.ErrDamaged
	}
	return record{header, io.LimitReader(r, length)}, nil
}

// page is the page that a record holds, if it holds one.
func (r record) page() (markup.Page, bool) {
	p := markup.Page{Address: strings.Trim(r.header.Get("WARC-Target-URI"), "<>")}
	if day := r.header.Get("WARC-Date"); len(day) >= len(time.DateOnly) {
		p.Date = day[:len(time.DateOnly)]
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
	if !isPage(media) && media != "text/plain" || p.Address == "" {
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
	p.Text = markup.Decode(text, parameters["charset"])
	if media == "text/plain" {
		p.Text = []byte("<p>" + strings.ReplaceAll(html.EscapeString(string(p.Text)), "\n\n", "<p>"))
	}
	return p, err == nil && len(text) > 0
}
