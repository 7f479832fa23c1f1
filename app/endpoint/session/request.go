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

// params is the part of a request's parameters that the session uses. HandleMessage reports fields of a wrong type.
type params struct {
	Meta struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
	ProtocolVersion string                     `json:"protocolVersion"` // of initialize
	Arguments       map[string]json.RawMessage `json:"arguments"`       // of tools/call
}

func paramsOf(raw json.RawMessage) (p params) {
	_ = json.Unmarshal(raw, &p) // a type error leaves only its field zero
	return p
}

// offered are the supported protocol versions: all versions of the library except 2025-03-26, the only version that
// requires batches.
var offered = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool {
	return v == mcp.ProtocolVersion20250326
})

// negotiable returns an initialize request for 2024-11-05 if m requests 2025-03-26, otherwise m. The library would
// answer with a later version, which a client of 2025-03-26 may not support.
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

// explicit adds "subscribe": false to a result with capabilities. The specification of the documents contains it, and
// the library omits false capabilities.
func explicit(result any) any {
	text, err := json.Marshal(result)
	if err != nil {
		return result
	}
	const implied = `"resources":{"listChanged":true}`
	return json.RawMessage(strings.Replace(string(text), implied, `"resources":{"subscribe":false,"listChanged":true}`, 1))
}

// request is the state of a request in its context.
type request struct {
	params
	// workers limits a session's concurrent requests. A request that waits for the user or a job leaves its place to
	// others.
	workers chan struct{}
	once    sync.Once
	// code and data are those of a handler's error, which the library reports as internal; 0 means internal. They are
	// written before the handler returns.
	code int
	data any
}

type requestKey struct{}

// requestOf returns the request of a context, or an empty one.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// take waits for a place in workers. It returns false if ctx ends.
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

// Yield releases the place of the request in ctx permanently, before the request waits for the user or a job.
func Yield(ctx context.Context) { requestOf(ctx).release() }

// Refuse sets the code and data of the error of the request in ctx.
func Refuse(ctx context.Context, code int, data any) {
	r := requestOf(ctx)
	r.code, r.data = code, data
}

// Argument returns the raw value of the called tool's argument, or nil. mcp-go decodes 64-bit integers as floats.
func Argument(ctx context.Context, name string) json.RawMessage {
	return requestOf(ctx).Arguments[name]
}
