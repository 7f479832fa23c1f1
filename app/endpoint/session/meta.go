package session

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
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
