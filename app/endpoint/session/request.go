package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/jsonrpc"
)

// params is the part of the parameters that the session uses.
type params struct {
	Meta struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
	ProtocolVersion string                     `json:"protocolVersion"` // of initialize
	Arguments       map[string]json.RawMessage `json:"arguments"`       // of tools/call
}

func paramsOf(raw json.RawMessage) (p params) {
	_ = json.Unmarshal(raw, &p) // a field of a wrong type stays zero
	return p
}

// offered excludes 2025-03-26, the only version that requires batches.
var offered = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool {
	return v == mcp.ProtocolVersion20250326
})

// negotiable replaces version 2025-03-26 by 2024-11-05, because mcp-go would answer with a later one.
func negotiable(m *jsonrpc.Message) *jsonrpc.Message {
	if paramsOf(m.Params).ProtocolVersion != mcp.ProtocolVersion20250326 {
		return m
	}
	params, err := jsonrpc.WithMember(m.Params, "protocolVersion", json.RawMessage(`"`+mcp.ProtocolVersion20241105+`"`))
	if err != nil {
		return m
	}
	raw, err := jsonrpc.WithMember(m.Raw, "params", params)
	if err != nil {
		return m
	}
	return &jsonrpc.Message{Raw: raw, ID: m.ID, Method: m.Method, Params: params}
}

// explicit adds "subscribe": false, which the documents specification requires and mcp-go omits.
func explicit(result any) any {
	text, err := json.Marshal(result)
	if err != nil {
		return result
	}
	const implied = `"resources":{"listChanged":true}`
	return json.RawMessage(strings.Replace(string(text), implied, `"resources":{"subscribe":false,"listChanged":true}`, 1))
}

// request is stored in the request's context.
type request struct {
	params
	// A request that waits for the user or a job releases its place in workers.
	workers chan struct{}
	once    sync.Once
	// code and data replace those of a handler's error, which mcp-go reports as internal.
	code int
	data any
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

func (r *request) take(ctx context.Context, workers chan struct{}) bool {
	select {
	case workers <- struct{}{}:
		r.workers = workers
		return true
	case <-ctx.Done():
		return false
	}
}

func (r *request) release() {
	if r.workers != nil {
		r.once.Do(func() { <-r.workers })
	}
}

// Yield releases the request's place, before it waits for the user or a job.
func Yield(ctx context.Context) { requestOf(ctx).release() }

func Refuse(ctx context.Context, code int, data any) {
	r := requestOf(ctx)
	r.code, r.data = code, data
}

// Argument returns an argument's raw value, because mcp-go decodes integers as floats.
func Argument(ctx context.Context, name string) json.RawMessage {
	return requestOf(ctx).Arguments[name]
}
