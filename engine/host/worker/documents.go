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

type Documents struct {
	process *native.Process
	limit   time.Duration
	poison  *Poison
	log     *slog.Logger
}

// ReadingTime is the maximum processor time for a document. The largest manuals take half a second.
const ReadingTime = 2 * time.Second

// NewDocuments returns a reader of documents. limit is the maximum processor time for a document.
func NewDocuments(process *native.Process, limit time.Duration, poison *Poison, log *slog.Logger) *Documents {
	return &Documents{process, limit, poison, log}
}

var errPoison = errors.New("content that crashes its reader")

type document struct {
	Limit time.Duration
	Name  string
	Data  []byte
}

// read runs op for one document at a time, so that a document that kills the process is known.
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
	answer, cause, err := alone(ctx, d.process, op, document{d.limit, name, data})
	switch {
	case cause != "":
		d.poison.Add(hash, readPrefix+path.Base(name), cause)
		return none, errPoison
	case err != nil && !errors.Is(err, native.ErrBody):
		d.log.Warn("document not read by the worker", "err", err)
	}
	return answer, err
}

// alone runs op while the worker runs no other call. cause is not empty if op killed the worker.
func alone[A, R any](ctx context.Context, p *native.Process, op native.Op[A, R], args A) (
	answer R, cause string, err error) {
	var died *native.CrashError
	for range 2 {
		answer, err = op.Call(ctx, p.CallAlone, args)
		if errors.As(err, &died) && died.CausedByCall() {
			p.IgnoreLastCrash() // the input caused the death
			return answer, died.Cause, err
		}
		if err == nil || ctx.Err() != nil || errors.Is(err, native.ErrBody) {
			break
		}
	}
	return answer, "", err
}

func (d *Documents) Parse(ctx context.Context, name string, data []byte) markup.Document {
	if format, ok := markup.FormatOf(name); !ok || format == markup.Text {
		return markup.Parse(name, data) // not in the worker, because plain text can't crash the parser
	}
	doc, err := read(ctx, d, opParse, name, data)
	if err == nil && doc.Valid() {
		return doc
	}
	doc = markup.AsText(name, data)
	doc.Again = !errors.Is(err, errPoison)
	return doc
}

func (d *Documents) Content(ctx context.Context, name string, data []byte) string {
	if format, _ := markup.FormatOf(name); format == markup.HTML {
		if answer, err := read(ctx, d, opContent, name, data); err == nil {
			return answer
		}
		name += ".txt"
	}
	return markup.Content(name, data)
}

// ReadHandlers returns the handlers that parse documents with m. runLimited ends the process if a call exceeds its time
// limit.
func ReadHandlers(m markup.Reader, runLimited func(time.Duration, func())) native.Handlers {
	h := native.Handlers{}
	opParse.Serve(h, func(ctx context.Context, d document) (answer markup.Document, err error) {
		runLimited(d.Limit, func() { answer = m.Parse(ctx, d.Name, d.Data) })
		return answer, nil
	})
	opContent.Serve(h, func(ctx context.Context, d document) (answer string, err error) {
		runLimited(d.Limit, func() { answer = m.Content(ctx, d.Name, d.Data) })
		return answer, nil
	})
	return h
}
