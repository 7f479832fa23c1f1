package archive

import (
	"bytes"
	"context"
	"errors"
	"unicode/utf8"

	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/markup"
)

// Marks between the pages of a container while policy looks for secrets in them, and between address, date and text.
const (
	recordMark = "\x1e"
	fieldMark  = "\x1f"
)

// taken is what was taken out of a file of pages.
type taken struct {
	pages      []markup.Page
	stamp      policy.Stamp
	why        string // what keeps the file out, or a part of it, in words for a person
	unreadable bool   // just now
}

// pagesOf takes the pages out of a file, under policy.
func (im *importer) pagesOf(ctx context.Context, rel string) (t taken) {
	failed := error(nil)
	data, stamp, reason, err := im.policy.ReadAs(rel, func(data []byte) ([]byte, bool) {
		var pages []markup.Page
		pages, failed = im.reader.Pages(ctx, rel, data)
		size := 0
		for _, p := range pages {
			size += len(p.Address) + len(p.Date) + len(p.Text) + 3*len(recordMark)
		}
		var all bytes.Buffer
		all.Grow(size)
		for _, p := range pages {
			all.WriteString(recordMark + p.Address + fieldMark + p.Date + fieldMark)
			at := all.Len()
			if !utf8.Valid(p.Text) {
				p.Text = bytes.ToValidUTF8(p.Text, []byte("\ufffd"))
			}
			all.Write(p.Text)
			text := all.Bytes()[at:]
			for i, c := range text {
				if c == 0 || c == recordMark[0] {
					text[i] = ' '
				}
			}
		}
		return all.Bytes(), len(pages) > 0
	})
	t.stamp = stamp
	switch {
	case failed != nil:
		t.why = failed.Error()
		t.unreadable = errors.Is(failed, markup.ErrNotNow)
	case reason != "":
		t.why, t.unreadable = reason.InWords(), true
	case err != nil:
		t.why, t.unreadable = "it can't be read", true
	}
	for record := range bytes.SplitSeq(data, []byte(recordMark)) {
		if f := bytes.SplitN(record, []byte(fieldMark), 3); len(f) == 3 {
			t.pages = append(t.pages, markup.Page{Address: string(f[0]), Date: string(f[1]), Text: f[2]})
		}
	}
	return t
}

// document is a page of a file as a document.
func (im *importer) document(ctx context.Context, kind markup.Kind, p markup.Page) markup.Document {
	format := markup.HTML
	if kind == markup.PDF {
		format = markup.Text
	}
	d := im.reader.Parse(ctx, "page."+string(format), p.Text)
	if d.Title == "page" { // it has none
		d.Title = ""
	}
	if d.Source == "" && markup.Web(p.Address) {
		d.Source = p.Address
	}
	if d.Date == "" {
		d.Date = p.Date
	}
	if format == markup.Text { // addresses and DOIs are found where Markdown is read
		d.Links = im.reader.Parse(ctx, "page.md", p.Text).Links
	}
	return d
}
