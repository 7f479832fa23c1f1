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

// params is the part of a request's parameters that the session uses. mcp-go reports fields of a wrong type.
type params struct {
	Meta struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
	ProtocolVersion string                     `json:"protocolVersion"` // parameter of initialize
	Arguments       map[string]json.RawMessage `json:"arguments"`       // parameter of tools/call
}

func paramsOf(raw json.RawMessage) (p params) {
	_ = json.Unmarshal(raw, &p) // a field of a wrong type stays zero
	return p
}

// offered lists the supported protocol versions. It excludes 2025-03-26, the only version that requires batches.
var offered = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool {
	return v == mcp.ProtocolVersion20250326
})

// negotiable replaces version 2025-03-26 in an initialize request by 2024-11-05, because mcp-go would answer with a
// later version, which the client may not support.
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

// explicit adds "subscribe": false to the capabilities in result. The documents specification requires it, but mcp-go
// omits false capabilities.
func explicit(result any) any {
	text, err := json.Marshal(result)
	if err != nil {
		return result
	}
	const implied = `"resources":{"listChanged":true}`
	return json.RawMessage(strings.Replace(string(text), implied, `"resources":{"subscribe":false,"listChanged":true}`, 1))
}

// request is the state of a request. It is stored in the request's context.
type request struct {
	params
	// workers limits a session's concurrent requests. A request that waits for the user or a job releases its place.
	workers chan struct{}
	once    sync.Once
	// code and data are sent with a handler's error, which mcp-go reports as internal. If code is 0 the error is internal.
	// The handler sets them before it returns.
	code int
	data any
}

type requestKey struct{}

// requestOf returns the request in ctx, or an empty request.
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

// Yield permanently releases the place of the request in ctx, before the request waits for the user or a job.
func Yield(ctx context.Context) { requestOf(ctx).release() }

// Refuse sets the code and data of the error of the request in ctx.
func Refuse(ctx context.Context, code int, data any) {
	r := requestOf(ctx)
	r.code, r.data = code, data
}

// Argument returns the raw value of an argument of the called tool, or nil. mcp-go would decode integers as floats.
func Argument(ctx context.Context, name string) json.RawMessage {
	return requestOf(ctx).Arguments[name]
}
