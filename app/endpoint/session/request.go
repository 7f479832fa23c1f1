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

type params struct {
	Meta struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
	ProtocolVersion string                     `json:"protocolVersion"` // only in initialize
	Arguments       map[string]json.RawMessage `json:"arguments"`       // only in tools/call
}

func paramsOf(raw json.RawMessage) (p params) {
	_ = json.Unmarshal(raw, &p) // a field of the wrong type stays zero
	return p
}

// offered contains the supported protocol versions. It excludes 2025-03-26, the only version that requires batches.
var offered = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool {
	return v == mcp.ProtocolVersion20250326
})

// negotiable replaces the unsupported version 2025-03-26 in an initialize request with the previous version. mcp-go
// would choose a later one.
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

// explicit adds "subscribe": false to the resources capability in result, as the specification requires.
func explicit(result any) any {
	text, err := json.Marshal(result)
	if err != nil {
		return result
	}
	const implied = `"resources":{"listChanged":true}`
	return json.RawMessage(strings.Replace(string(text), implied, `"resources":{"subscribe":false,"listChanged":true}`, 1))
}

type request struct {
	params
	workers chan struct{}
	once    sync.Once
	// code and data replace those of the error that mcp-go returns for a failed handler.
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

// Yield lets another request run while this request waits for the user or a job.
func Yield(ctx context.Context) { requestOf(ctx).release() }

func Refuse(ctx context.Context, code int, data any) {
	r := requestOf(ctx)
	r.code, r.data = code, data
}

// Argument returns the unparsed value of an argument. mcp-go would decode integers as floats.
func Argument(ctx context.Context, name string) json.RawMessage {
	return requestOf(ctx).Arguments[name]
}
