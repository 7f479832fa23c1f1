package client

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// AddShared lays a shared index under a project's own.
func (c *Client) AddShared(ctx context.Context, s wire.Share) (api.Project, error) {
	return ask[api.Project](ctx, c, wire.MethodShareAdd, s)
}

// RemoveShared takes it away.
func (c *Client) RemoveShared(ctx context.Context, project string) (api.Project, error) {
	return ask[api.Project](ctx, c, wire.MethodShareRemove, wire.ProjectRef{Project: project})
}

// PublishShared writes a project's index to a place where others can add it. progress may be nil, and is called from
// the reading goroutine.
func (c *Client) PublishShared(
	ctx context.Context, s wire.Share, progress func(ToolProgress),
) (api.Publication, error) {
	return follow[api.Publication](ctx, c, wire.MethodSharePublish, s, progress)
}
