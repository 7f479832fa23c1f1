package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/engine/api"
)

// ToolProgress is the progress of a tool call. Total is 0 while it is unknown.
type ToolProgress struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress float64         `json:"progress"`
	Total    float64         `json:"total"`
	Message  string          `json:"message"`
}

func withMeta(params any, meta map[string]any) (json.RawMessage, error) {
	object, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	value, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	return jsonrpc.WithMember(object, "_meta", value)
}

type ToolResult struct {
	Content []struct{ Type, Text string } `json:"content"`
	JSON    json.RawMessage               `json:"structuredContent"`
	IsError bool                          `json:"isError"`
}

func (r *ToolResult) Text() string {
	var parts []string
	for _, c := range r.Content {
		if c.Type == "text" {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func (r *ToolResult) Decode(v any) error { return json.Unmarshal(r.JSON, v) }

func (r *ToolResult) err() error {
	if !r.IsError {
		return nil
	}
	var e api.Error
	if r.Decode(&e) == nil && e.UserMessage != "" {
		return &e
	}
	text := r.Text()
	var named struct{ Error string } // the format of errors of named indexes
	if r.Decode(&named) == nil && named.Error != "" {
		text = named.Error + "."
	}
	return api.New(api.Internal, text, text, nil)
}

// CallTool calls a tool. It returns a result with isError as an error. The reading goroutine calls progress, which may
// be nil.
func (c *Client) CallTool(
	ctx context.Context, name string, args any, consent api.Answer, progress func(ToolProgress),
) (*ToolResult, error) {
	params := struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments,omitempty"`
	}{name, args}
	r := &ToolResult{}
	err := c.call(ctx, "tools/call", params, r, consent, progress)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func (c *Client) Tools(ctx context.Context) (names []string, err error) {
	var page struct{ Tools []struct{ Name string } }
	err = c.Call(ctx, "tools/list", map[string]any{}, &page)
	for _, t := range page.Tools {
		names = append(names, t.Name)
	}
	return names, err
}
