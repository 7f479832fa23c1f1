package archive

import (
	"context"

	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/saved"
)

// pages is a reader in this process: what the tests give it does no harm.
type pages struct{ markup.InProcess }

func (pages) Pages(_ context.Context, name string, data []byte) ([]markup.Page, error) {
	return saved.Pages(name, data)
}

// cancelling ends an import while it reads.
type cancelling struct {
	pages
	cancel func()
	after  int
}

func (c *cancelling) Parse(ctx context.Context, name string, data []byte) markup.Document {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.pages.Parse(ctx, name, data)
}
