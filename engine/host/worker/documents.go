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

// call has one content read. No other is read beside it, so that it is known which one ended the worker.
func (d *Documents) call(ctx context.Context, p *native.Process, op byte, name string, data []byte) ([]byte, error) {
	sum := sha256.New()
	sum.Write([]byte{op})
	sum.Write([]byte(path.Ext(name) + "\x00"))
	sum.Write(data)
	hash := hex.EncodeToString(sum.Sum(nil))
	if d.poison.Has(hash) {
		return nil, errPoison
	}
	most := d.times.Read
	if op == opPages {
		most = d.times.Unpack
	}
	args := make(native.Body, 0, len(name)+len(data)+16).Uint(int(most)).Text(name).Bytes(data)
	for tries := 1; ; tries++ {
		r, err := p.Alone(ctx, op, args, nil)
		var died *native.Died
		switch {
		case err == nil:
			answer := r.View()
			return answer, r.End()
		case errors.As(err, &died) && died.Blames():
			p.Forgive() // the next document may be a good one
			d.poison.Add(hash, readPrefix+path.Base(name), died.Cause)
			return nil, errPoison
		case ctx.Err() != nil || tries == 2:
			d.log.Warn("document not read apart", "err", err)
			return nil, err
		}
	}
}

// Parse implements markup.Reader.
func (d *Documents) Parse(ctx context.Context, name string, data []byte) markup.Document {
	if format, ok := markup.FormatOf(name); !ok || format == markup.Text {
		return markup.Parse(name, data) // nothing in it is nested
	}
	answer, err := d.call(ctx, d.read, opParse, name, data)
	if err == nil {
		var doc markup.Document
		if doc, err = markup.Unmarshal(answer); err == nil {
			return doc
		}
		d.log.Warn("document not understood", "err", err)
	}
	doc := markup.AsText(name, data)
	doc.Again = !errors.Is(err, errPoison)
	return doc
}

// Content implements markup.Reader.
func (d *Documents) Content(ctx context.Context, name string, data []byte) string {
	if format, _ := markup.FormatOf(name); format == markup.HTML {
		if answer, err := d.call(ctx, d.read, opContent, name, data); err == nil {
			return string(answer)
		}
		name += ".txt"
	}
	return markup.Content(name, data)
}

// Pages implements markup.Reader.
func (d *Documents) Pages(ctx context.Context, name string, data []byte) ([]markup.Page, error) {
	answer, err := d.call(ctx, d.unpack, opPages, name, data)
	switch {
	case errors.Is(err, errPoison):
		return nil, markup.ErrUnread
	case err != nil:
		return nil, markup.ErrNotNow
	}
	r := native.NewReader(answer)
	why := markup.PagesError(r.Text())
	pages := make([]markup.Page, r.Count())
	for i := range pages {
		pages[i] = markup.Page{Address: r.Text(), Date: r.Text(), Text: r.View()}
	}
	if r.End() != nil {
		return nil, markup.ErrDamaged
	}
	if why != "" {
		return pages, why
	}
	return pages, nil
}

// Reading answers Documents' calls in the worker. within ends the process if what it is given takes longer.
func Reading(m markup.Reader, within func(time.Duration, func())) map[byte]native.Handler {
	handle := func(f func(ctx context.Context, name string, data []byte) ([]byte, error)) native.Handler {
		return func(ctx context.Context, r *native.Reader, _ func(native.Body)) (native.Body, error) {
			most, name, data := time.Duration(r.Uint()), r.Text(), r.View()
			err := r.End()
			if err != nil {
				return nil, err
			}
			var answer []byte
			within(most, func() { answer, err = f(ctx, name, data) })
			return make(native.Body, 0, len(answer)+8).Bytes(answer), err
		}
	}
	return map[byte]native.Handler{
		opParse: handle(func(ctx context.Context, name string, data []byte) ([]byte, error) {
			return m.Parse(ctx, name, data).Marshal()
		}),
		opContent: handle(func(ctx context.Context, name string, data []byte) ([]byte, error) {
			return []byte(m.Content(ctx, name, data)), nil
		}),
		opPages: handle(func(ctx context.Context, name string, data []byte) ([]byte, error) {
			pages, err := m.Pages(ctx, name, data)
			var why markup.PagesError
			if err != nil && !errors.As(err, &why) {
				return nil, err
			}
			b := native.Body{}.Text(string(why)).Uint(len(pages))
			for _, p := range pages {
				b = b.Text(p.Address).Text(p.Date).Bytes(p.Text)
			}
			return b, nil
		}),
	}
}
