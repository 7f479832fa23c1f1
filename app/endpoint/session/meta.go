package session

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/jsonrpc"
)

// meta is the part of a request's _meta that the session uses.
type meta struct {
	ProgressToken json.RawMessage `json:"progressToken"`
	Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
}

// metaOf returns the request's _meta. It is zero if missing or malformed (which HandleMessage reports).
func metaOf(params json.RawMessage) meta {
	var p struct {
		Meta meta `json:"_meta"`
	}
	if json.Unmarshal(params, &p) != nil {
		return meta{}
	}
	return p.Meta
}

// offered are the supported protocol versions: all versions of the library except 2025-03-26, the only version that
// requires batches.
var offered = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool {
	return v == mcp.ProtocolVersion20250326
})

// negotiable returns an initialize request for 2024-11-05 if m requests 2025-03-26, otherwise m. Every client of
// 2025-03-26 supports 2024-11-05, but perhaps none of the later versions that the library would answer with.
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

// paramsKey is the context key of a request's raw params: mcp-go decodes 64-bit integers as floats.
type paramsKey struct{}

// Argument returns the raw value of the called tool's argument, or nil.
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
