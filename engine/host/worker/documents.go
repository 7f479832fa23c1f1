package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"path"
	"time"

	"searchmcp/engine/host/native"
	"searchmcp/engine/sources/markup"
)

// Documents is markup.Reader in processes of their own: one for documents, which people wait for, and one for files of
// pages, which take their time. Safe for concurrent use.
type Documents struct {
	read, unpack *native.Process
	times        ReadingTimes
	poison       *Poison
	log          *slog.Logger
}

// ReadingTimes are what one file may cost of processor time, which a busy machine does not shorten.
type ReadingTimes struct{ Read, Unpack time.Duration }

// UsualTimes are those of the product: the largest manuals in one file take half a second, a book of a thousand pages
// ten.
var UsualTimes = ReadingTimes{Read: 2 * time.Second, Unpack: 30 * time.Second}

// NewDocuments returns the readers of two processes. A content that ends one is remembered by poison and not read
// again.
func NewDocuments(read, unpack *native.Process, times ReadingTimes, poison *Poison, log *slog.Logger) *Documents {
	return &Documents{read, unpack, times, poison, log}
}

// errPoison: this content has ended a worker before.
var errPoison = errors.New("content that ends its reader")

// document is one that is to be read within a time of the processor's.
type document struct {
	Most time.Duration
	Name string
	Data []byte
}

// pages are what markup.Reader's Pages answers.
type pages struct {
	Why   string
	Pages []markup.Page
}

// read has one content read. No other is read beside it, so that it is known which one ended the worker.
func read[R any](ctx context.Context, d *Documents, op native.Op[document, R], name string, data []byte) (R, error) {
	var none R
	sum := sha256.New()
	sum.Write([]byte{byte(op)})
	sum.Write([]byte(path.Ext(name) + "\x00"))
	sum.Write(data)
	hash := hex.EncodeToString(sum.Sum(nil))
	if d.poison.Has(hash) {
		return none, errPoison
	}
	p, most := d.read, d.times.Read
	if byte(op) == byte(opPages) {
		p, most = d.unpack, d.times.Unpack
	}
	for tries := 1; ; tries++ {
		answer, err := op.Call(ctx, p.Alone, document{most, name, data})
		var died *native.Died
		switch {
		case err == nil, errors.Is(err, native.ErrBody):
			return answer, err
		case errors.As(err, &died) && died.Blames():
			p.Forgive() // the next document may be a good one
			d.poison.Add(hash, readPrefix+path.Base(name), died.Cause)
			return none, errPoison
		case ctx.Err() != nil || tries == 2:
			d.log.Warn("document not read apart", "err", err)
			return none, err
		}
	}
}

// Parse implements markup.Reader.
func (d *Documents) Parse(ctx context.Context, name string, data []byte) markup.Document {
	if format, ok := markup.FormatOf(name); !ok || format == markup.Text {
		return markup.Parse(name, data) // nothing in it is nested
	}
	doc, err := read(ctx, d, opParse, name, data)
	if err == nil && doc.Valid() {
		return doc
	}
	doc = markup.AsText(name, data)
	doc.Again = !errors.Is(err, errPoison)
	return doc
}

// Content implements markup.Reader.
func (d *Documents) Content(ctx context.Context, name string, data []byte) string {
	if format, _ := markup.FormatOf(name); format == markup.HTML {
		if answer, err := read(ctx, d, opContent, name, data); err == nil {
			return answer
		}
		name += ".txt"
	}
	return markup.Content(name, data)
}

// Pages implements markup.Reader.
func (d *Documents) Pages(ctx context.Context, name string, data []byte) ([]markup.Page, error) {
	answer, err := read(ctx, d, opPages, name, data)
	switch {
	case errors.Is(err, errPoison):
		return nil, markup.ErrUnread
	case errors.Is(err, native.ErrBody):
		return nil, markup.ErrDamaged
	case err != nil:
		return nil, markup.ErrNotNow
	case answer.Why != "":
		return answer.Pages, markup.PagesError(answer.Why)
	}
	return answer.Pages, nil
}

// Reading answers Documents' calls in the worker. within ends the process if what it is given takes longer.
func Reading(m markup.Reader, within func(time.Duration, func())) native.Handlers {
	h := native.Handlers{}
	opParse.Serve(h, func(ctx context.Context, d document) (answer markup.Document, err error) {
		within(d.Most, func() { answer = m.Parse(ctx, d.Name, d.Data) })
		return answer, nil
	})
	opContent.Serve(h, func(ctx context.Context, d document) (answer string, err error) {
		within(d.Most, func() { answer = m.Content(ctx, d.Name, d.Data) })
		return answer, nil
	})
	opPages.Serve(h, func(ctx context.Context, d document) (answer pages, err error) {
		within(d.Most, func() { answer.Pages, err = m.Pages(ctx, d.Name, d.Data) })
		var why markup.PagesError
		if errors.As(err, &why) {
			answer.Why, err = string(why), nil
		}
		return answer, err
	})
	return h
}
