package session

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/jsonrpc"
)

// meta is what the session itself needs of a request's _meta.
type meta struct {
	ProgressToken json.RawMessage `json:"progressToken"`
	Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
}

// metaOf returns the request's _meta, its zero value if there is none or it is malformed (which HandleMessage reports).
func metaOf(params json.RawMessage) meta {
	var p struct {
		Meta meta `json:"_meta"`
	}
	if json.Unmarshal(params, &p) != nil {
		return meta{}
	}
	return p.Meta
}

// offered are the protocol versions that the endpoint speaks: those of the library without 2025-03-26, the only one
// that requires batches of messages.
var offered = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool {
	return v == mcp.ProtocolVersion20250326
})

// negotiable returns an initialize request that asks for 2024-11-05 if m asks for 2025-03-26, else m itself. Every
// client of 2025-03-26 knows 2024-11-05, but perhaps none of the later versions that the library would answer with.
func negotiable(m *jsonrpc.Message) *jsonrpc.Message {
	var p struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if json.Unmarshal(m.Params, &p) != nil || p.ProtocolVersion != mcp.ProtocolVersion20250326 {
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

func (m meta) modern() bool { return mcp.IsModernProtocol(m.Version) }

// paramsKey holds a request's params as they came: mcp-go makes numbers of 64 bits floating.
type paramsKey struct{}

// Argument returns an argument of the tool that is called as the client sent it, nil if it sent none.
func Argument(ctx context.Context, name string) json.RawMessage {
	raw, ok := ctx.Value(paramsKey{}).(json.RawMessage)
	if !ok {
		return nil
	}
	var p struct {
		Arguments map[string]json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(raw, &p) != nil {
		return nil
	}
	return p.Arguments[name]
}
