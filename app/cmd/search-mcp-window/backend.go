package main

import (
	"context"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// backend is ui's view of the app over one connection.
type backend struct{ *client.Client }

// Agreed implements ui.Backend: the click is the consent, and goes with the call. Without a progress token the call is
// answered as soon as the job is under way; the job then belongs to the app.
func (b backend) Agreed(ctx context.Context, a api.Action, root string) error {
	_, err := b.CallAgreed(ctx, string(a), map[string]any{"project": root}, nil)
	return err
}

// Reporting implements ui.Backend.
func (b backend) Reporting(progress func(done, total int)) wire.Caller {
	return client.Reporting{Client: b.Client, Progress: func(p client.ToolProgress) {
		progress(int(p.Progress), int(p.Total))
	}}
}
