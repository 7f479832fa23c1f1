package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"searchmcp/engine/host/native"
	"searchmcp/engine/share/part"
)

type Parts struct{ unpack *native.Process }

func NewParts(unpack *native.Process) *Parts { return &Parts{unpack} }

type partOf struct {
	Most time.Duration
	Data []byte
}

// partTime is the maximum processor time for a part of a shared index. Decoding 64 MB of JSON takes two seconds.
const partTime = 30 * time.Second

var partErrors = codes{"damaged_part": part.ErrDamaged}

// Read decodes a part of a shared index. A part that kills the worker counts as damaged.
func (p *Parts) Read(ctx context.Context, data []byte) ([]part.File, error) {
	files, cause, err := alone(ctx, p.unpack, opPart, partOf{partTime, data})
	switch {
	case cause != "":
		return nil, fmt.Errorf("%w: its reader ended: %s", part.ErrDamaged, cause)
	case errors.Is(err, native.ErrBody):
		return nil, fmt.Errorf("%w: %w", part.ErrDamaged, err)
	}
	return files, partErrors.restore(err)
}

func UnpackHandlers(runLimited func(time.Duration, func())) native.Handlers {
	h := native.Handlers{}
	opPart.Serve(h, func(_ context.Context, p partOf) (files []part.File, err error) {
		runLimited(p.Most, func() { files, err = part.Read(p.Data) })
		return files, err
	})
	return h
}
