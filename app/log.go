package app

import (
	"context"
	"errors"
	"log/slog"
)

// both writes every record to two handlers.
type both struct{ a, b slog.Handler }

func (h both) Enabled(ctx context.Context, l slog.Level) bool {
	return h.a.Enabled(ctx, l) || h.b.Enabled(ctx, l)
}

func (h both) Handle(ctx context.Context, r slog.Record) error {
	return errors.Join(h.a.Handle(ctx, r), h.b.Handle(ctx, r.Clone()))
}

func (h both) WithAttrs(attrs []slog.Attr) slog.Handler {
	return both{h.a.WithAttrs(attrs), h.b.WithAttrs(attrs)}
}

func (h both) WithGroup(name string) slog.Handler {
	return both{h.a.WithGroup(name), h.b.WithGroup(name)}
}
