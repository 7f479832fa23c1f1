package worker

import (
	"cmp"
	"errors"

	"searchmcp/engine/host/native"
)

// codes are errors that callers act on, by the code under which they cross from the worker.
type codes map[string]error

// code is the code of an error, "" if it has none.
func (c codes) code(err error) string {
	for code, known := range c {
		if errors.Is(err, known) {
			return code
		}
	}
	return ""
}

// restore gives an error that crossed its kind again. The text is the worker's.
func (c codes) restore(err error) error {
	var f *native.Failure
	if errors.As(err, &f) && c[f.Code] != nil {
		return &crossed{kind: c[f.Code], Failure: f}
	}
	return err
}

type crossed struct {
	*native.Failure
	kind error
}

// Unwrap returns what callers act on.
func (c *crossed) Unwrap() error { return c.kind }

// Code is the code under which an error of a worker's handlers travels.
func Code(err error) string {
	return cmp.Or(modelErrors.code(err), tableErrors.code(err), partErrors.code(err))
}
