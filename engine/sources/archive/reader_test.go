package archive

import (
	"context"

	"searchmcp/engine/sources/markup"
)

type cancelling struct {
	markup.InProcess
	cancel func()
	after  int
}

func (c *cancelling) Parse(ctx context.Context, name string, data []byte) markup.Document {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.InProcess.Parse(ctx, name, data)
}
