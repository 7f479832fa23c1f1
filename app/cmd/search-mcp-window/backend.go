package main

import (
	"context"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type backend struct{ *client.Client }

// Agreed sends the user's consent with the call. Without a progress token the call returns once the job has started.
func (b backend) Agreed(ctx context.Context, a api.Action, root string) error {
	_, err := b.CallAgreed(ctx, string(a), map[string]any{"project": root}, nil)
	return err
}

func (b backend) Reporting(progress func(done, total int)) wire.Caller {
	return client.Reporting{Client: b.Client, Progress: func(p client.ToolProgress) {
		progress(int(p.Progress), int(p.Total))
	}}
}
