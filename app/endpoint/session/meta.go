package session

import (
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
