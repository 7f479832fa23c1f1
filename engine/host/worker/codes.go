package worker

import (
	"cmp"
	"errors"

	"searchmcp/engine/host/native"
)

// codes maps the code of a native.Failure to an error.
type codes map[string]error

func (c codes) code(err error) string {
	for code, known := range c {
		if errors.Is(err, known) {
			return code
		}
	}
	return ""
}

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

func (c *crossed) Unwrap() error { return c.kind }

func Code(err error) string {
	return cmp.Or(modelErrors.code(err), tableErrors.code(err), partErrors.code(err))
}
