package client

import (
	"context"
	"encoding/json"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
)

type Elicitation struct {
	Message         string `json:"message"`
	RequestedSchema struct {
		Properties map[string]struct{ Type string } `json:"properties"`
	} `json:"requestedSchema"`
}

type ElicitAction string

const (
	ElicitAccept  ElicitAction = "accept"
	ElicitDecline ElicitAction = "decline"
	ElicitCancel  ElicitAction = "cancel"
)

type ElicitResult struct {
	Action  ElicitAction   `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

func (c *Client) serve(ctx context.Context, m *jsonrpc.Message) {
	switch {
	case m.Method == "ping":
		c.reply(jsonrpc.Result(m.ID, struct{}{}))
	case m.Method == "elicitation/create" && c.opts.Elicit != nil:
		c.elicit(ctx, m)
	default:
		c.reply(jsonrpc.Failure(m.ID, jsonrpc.MethodNotFound, "this client does not serve "+m.Method))
	}
}

func (c *Client) elicit(ctx context.Context, m *jsonrpc.Message) {
	var e Elicitation
	if err := json.Unmarshal(m.Params, &e); err != nil {
		c.reply(jsonrpc.Failure(m.ID, jsonrpc.InternalError, "the form is malformed: "+err.Error()))
		return
	}
	ctx, err := c.asked.Begin(ctx, m.ID)
	if err != nil {
		c.reply(jsonrpc.Failure(m.ID, jsonrpc.InvalidRequest, err.Error()))
		return
	}
	c.workers.Go(func() {
		result, err := c.opts.Elicit(ctx, e)
		withdrawn := ctx.Err() != nil
		c.asked.End(m.ID)
		switch {
		case withdrawn: // the app no longer waits for the answer
		case err != nil:
			c.log.Warn("question not answered", "err", err)
			c.reply(jsonrpc.Failure(m.ID, jsonrpc.InternalError, err.Error()))
		default:
			c.reply(jsonrpc.Result(m.ID, result))
		}
	})
}

func (c *Client) reply(e jsonrpc.Envelope) {
	if err := c.write(e); err != nil {
		c.log.Debug("answer not sent", "err", err) // Done reports the disconnect
	}
}

func (c *Client) hear(m *jsonrpc.Message) {
	switch m.Method {
	case wire.NotifyEvent:
		notified(c, m, c.opts.Event)
	case wire.NotifyShow:
		notified(c, m, c.opts.Raise)
	case wire.NotifyQuit:
		notified(c, m, c.opts.Quitting)
	case "notifications/progress":
		notified(c, m, c.progressed)
	case "notifications/cancelled":
		c.asked.Cancel(jsonrpc.Cancelled(m.Params))
	}
}

func notified[P any](c *Client, m *jsonrpc.Message, take func(P)) {
	if take == nil {
		return
	}
	var p P
	if err := json.Unmarshal(m.Params, &p); err != nil {
		c.log.Warn("malformed notification", "method", m.Method, "err", err)
		return
	}
	take(p)
}

func (c *Client) progressed(p ToolProgress) {
	c.mu.Lock()
	progress := c.progress[string(p.Token)]
	c.mu.Unlock()
	if progress != nil {
		progress(p)
	}
}
