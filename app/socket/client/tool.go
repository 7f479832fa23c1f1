package client

import (
	"context"
	"encoding/json"
	"errors"
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

type callMeta struct {
	ProgressToken json.RawMessage `json:"progressToken,omitempty"`
	Consent       api.Answer      `json:"search-mcp/consent,omitempty"`
}

func (m callMeta) with(params any) (json.RawMessage, error) {
	object, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	meta, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return jsonrpc.WithMember(object, "_meta", meta)
}

type ToolResult struct {
	Content    []Content       `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
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

// JSON returns the structured content, or else the text if it is JSON, or else nil.
func (r *ToolResult) JSON() json.RawMessage {
	if len(r.Structured) > 0 {
		return r.Structured
	}
	if text := []byte(r.Text()); json.Valid(text) {
		return text
	}
	return nil
}

func (r *ToolResult) Decode(v any) error {
	data := r.JSON()
	if data == nil {
		return errors.New("the tool returned no JSON")
	}
	return json.Unmarshal(data, v)
}

func (r *ToolResult) err() error {
	if !r.IsError {
		return nil
	}
	var e api.Error
	if r.Decode(&e) == nil && e.UserMessage != "" {
		return &e
	}
	text := r.Text()
	var named struct{ Error string } // the errors of named indexes have this form
	if r.Decode(&named) == nil && named.Error != "" {
		text = named.Error + "."
	}
	return api.New(api.Internal, text, text, nil)
}

// CallTool calls a tool. It returns a result with isError as an error. progress may be nil. The reading goroutine calls
// it, but never after CallTool has returned.
func (c *Client) CallTool(
	ctx context.Context, name string, args any, progress func(ToolProgress),
) (*ToolResult, error) {
	return c.callTool(ctx, name, args, callMeta{}, progress)
}

// CallAgreed is like CallTool, but sends the user's consent. Only windows and terminals may call it.
func (c *Client) CallAgreed(
	ctx context.Context, name string, args any, progress func(ToolProgress),
) (*ToolResult, error) {
	return c.callTool(ctx, name, args, callMeta{Consent: api.Accept}, progress)
}

func (c *Client) callTool(
	ctx context.Context, name string, args any, meta callMeta, progress func(ToolProgress),
) (*ToolResult, error) {
	params := struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments,omitempty"`
	}{name, args}
	r := &ToolResult{}
	err := c.call(ctx, "tools/call", params, r, meta, progress)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func (c *Client) Tools(ctx context.Context) ([]string, error) {
	var names []string
	for cursor := ""; ; {
		var page struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
			NextCursor string `json:"nextCursor"`
		}
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		if err := c.Call(ctx, "tools/list", params, &page); err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			names = append(names, t.Name)
		}
		if page.NextCursor == "" || page.NextCursor == cursor {
			return names, nil
		}
		cursor = page.NextCursor
	}
}
