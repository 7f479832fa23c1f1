package cli

import (
	"io"
	"time"
)

// restAfter is how long neither side has said anything when a bridge counts as at rest: longer than an assistant
// thinks between two questions.
const restAfter = time.Minute

// rest calls release once both directions of a session have been quiet for restAfter, and again after each time they
// were not: most of a bridge's memory is pages of its program that were read while it started, and each editor has
// one.
type rest struct{ timer *time.Timer }

func newRest(release func()) *rest { return &rest{time.AfterFunc(restAfter, release)} }

func (r *rest) stop() { r.timer.Stop() }

// restReader and restWriter are the two directions of a session.
type (
	restReader struct {
		io.Reader
		rest *rest
	}
	restWriter struct {
		io.Writer
		rest *rest
	}
)

func (r restReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == nil {
		r.rest.timer.Reset(restAfter)
	}
	return n, err
}

func (w restWriter) Write(p []byte) (int, error) {
	w.rest.timer.Reset(restAfter)
	return w.Writer.Write(p)
}
