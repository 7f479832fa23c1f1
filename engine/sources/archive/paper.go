package archive

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/pdf"
)

func isPDF(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// paper imports the text of a PDF, unless the file's size and modification time are unchanged.
func (im *importer) paper(reading context.Context, tx *sql.Tx, rel string) error {
	ctx := context.WithoutCancel(reading)
	name := im.base + "/" + rel
	old, known, err := storedHash(ctx, tx, documentID(im.dir, rel))
	if err != nil {
		return err
	}
	if stamp, reason, err := im.policy.Stat(rel); known && err == nil && old == stampHash(stamp) &&
		(reason == api.SkipNone || reason == api.SkipBinary) {
		im.seen[name] = true
		im.report.Unchanged++
		return nil
	}
	var d pdf.Document
	var failed error
	data, stamp, reason, err := im.policy.ReadAs(rel, func(data []byte) ([]byte, bool) {
		if d, failed = pdf.Read(reading, data); failed != nil {
			return nil, false
		}
		text := bytes.ReplaceAll(bytes.ToValidUTF8([]byte(d.Title+"\n\n"+d.Text), []byte("\ufffd")), []byte{0}, []byte(" "))
		return text, true
	})
	switch {
	case reading.Err() != nil:
		return errCancelled
	case failed != nil:
		im.seen[name] = errors.Is(failed, pdf.ErrNotInstalled) // keep the stored document if pdftotext is missing
		im.leaveOut(rel, failed.Error())
		return nil
	case err != nil || reason != api.SkipNone:
		im.seen[name] = true // the file exists, so keep the stored document
		if reason == api.SkipNone {
			reason = api.SkipUnreadable
		}
		im.leaveOut(rel, reason.InWords())
		return nil
	}
	im.seen[name] = true
	title, text, _ := bytes.Cut(data, []byte("\n\n")) // secrets are already masked
	doc := im.reader.Parse(reading, "page.txt", text)
	doc.Links = im.reader.Parse(reading, "page.md", text).Links // finds addresses and DOIs
	if reading.Err() != nil {
		return errCancelled
	}
	if doc.Title = string(title); doc.Title == "" {
		doc.Title = strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	}
	doc.Date = d.Date
	return im.put(ctx, tx, rel, known, stampHash(stamp), doc, im.fileKeys(rel), stamp.ModTime)
}
