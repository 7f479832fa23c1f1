package client

import (
	"context"
	"encoding/json"

	"searchmcp/app/wire"
)

// Elicitation is a form that the app wants a person to fill in (MCP elicitation/create).
type Elicitation struct {
	Message         string `json:"message"`
	RequestedSchema Schema `json:"requestedSchema"`
}

// Schema is the flat JSON schema of a form.
type Schema struct {
	Properties map[string]Property `json:"properties"`
	Required   []string            `json:"required"`
}

// Property is one field of a form.
type Property struct {
	Type        string          `json:"type"` // "boolean", "string", "integer", "number"
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Enum        []string        `json:"enum"`
	EnumNames   []string        `json:"enumNames"`
	OneOf       []struct {
		Const string `json:"const"`
		Title string `json:"title"`
	} `json:"oneOf"`
}

// Choices lists the values of an enumeration and what each is called; none for another kind of field.
func (p Property) Choices() (values, titles []string) {
	for _, c := range p.OneOf {
		title := c.Title
		if title == "" {
			title = c.Const
		}
		values, titles = append(values, c.Const), append(titles, title)
	}
	for i, v := range p.Enum {
		title := v
		if i < len(p.EnumNames) {
			title = p.EnumNames[i]
		}
		values, titles = append(values, v), append(titles, title)
	}
	return values, titles
}

// ElicitAction is what a person did with a form.
type ElicitAction string

// The actions of MCP.
const (
	ElicitAccept  ElicitAction = "accept"
	ElicitDecline ElicitAction = "decline"
	ElicitCancel  ElicitAction = "cancel"
)

// ElicitResult answers an Elicitation; Content only with ElicitAccept.
type ElicitResult struct {
	Action  ElicitAction   `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

// serve answers a request of the app.
func (c *Client) serve(ctx context.Context, f frame) {
	switch {
	case f.Method == "ping":
		c.answer(f.ID, struct{}{})
	case f.Method == "roots/list" && c.opts.Roots != nil:
		roots := c.opts.Roots()
		if roots == nil {
			roots = []Root{}
		}
		c.answer(f.ID, map[string]any{"roots": roots})
	case f.Method == "elicitation/create" && c.opts.Elicit != nil:
		c.elicit(ctx, f)
	default:
		c.refuse(f.ID, codeMethodNotFound, "this client does not serve "+f.Method)
	}
}

func (c *Client) elicit(ctx context.Context, f frame) {
	var e Elicitation
	if err := json.Unmarshal(f.Params, &e); err != nil {
		c.refuse(f.ID, codeInternal, "the form is malformed: "+err.Error())
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.asked[string(f.ID)] = cancel
	c.mu.Unlock()
	c.workers.Add(1)
	go func() {
		defer c.workers.Done()
		result, err := c.opts.Elicit(ctx, e)
		withdrawn := ctx.Err() != nil
		cancel()
		c.mu.Lock()
		delete(c.asked, string(f.ID))
		c.mu.Unlock()
		switch {
		case withdrawn: // nobody waits for the answer
		case err != nil:
			c.log.Warn("question not answered", "error", err)
			c.refuse(f.ID, codeInternal, err.Error())
		default:
			c.answer(f.ID, result)
		}
	}()
}

func (c *Client) answer(id json.RawMessage, result any) {
	data, err := json.Marshal(result)
	if err != nil {
		c.refuse(id, codeInternal, "the answer can't be encoded")
		return
	}
	c.reply(frame{JSONRPC: "2.0", ID: id, Result: data})
}

func (c *Client) refuse(id json.RawMessage, code int, message string) {
	c.reply(frame{JSONRPC: "2.0", ID: id, Error: &RPCError{Code: code, Message: message}})
}

func (c *Client) reply(f frame) {
	if err := c.write(f); err != nil {
		c.log.Debug("answer not sent", "error", err) // the connection has ended, which everybody learns from Done
	}
}

// hear takes a notification.
func (c *Client) hear(f frame) {
	switch f.Method {
	case wire.NotifyEvent:
		notified(c, f, c.opts.Event)
	case wire.NotifyShow:
		notified(c, f, c.opts.Raise)
	case wire.NotifyQuit:
		notified(c, f, func(q wire.Quitting) {
			c.mu.Lock()
			c.quitting = &q
			c.mu.Unlock()
			if c.opts.Quitting != nil {
				c.opts.Quitting(q)
			}
		})
	case "notifications/progress":
		notified(c, f, c.progressed)
	case "notifications/tools/list_changed":
		if c.opts.ToolsChanged != nil {
			c.opts.ToolsChanged()
		}
	case "notifications/cancelled":
		notified(c, f, c.withdrawn)
	}
}

// notified decodes a notification's parameters for a function that may be nil.
func notified[P any](c *Client, f frame, take func(P)) {
	if take == nil {
		return
	}
	var p P
	if err := json.Unmarshal(f.Params, &p); err != nil {
		c.log.Warn("malformed notification", "method", f.Method, "error", err)
		return
	}
	take(p)
}

type cancelled struct {
	RequestID json.RawMessage `json:"requestId"`
}

func (c *Client) withdrawn(p cancelled) {
	c.mu.Lock()
	cancel := c.asked[string(p.RequestID)]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (c *Client) progressed(p ToolProgress) {
	c.mu.Lock()
	waiting := c.calls[string(p.Token)]
	c.mu.Unlock()
	if waiting != nil && waiting.progress != nil {
		waiting.progress(p)
	}
}
