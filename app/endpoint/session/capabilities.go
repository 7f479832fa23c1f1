package session

import "github.com/mark3labs/mcp-go/mcp"

// The library omits false capabilities. The specification of the documents contains `"subscribe": false`, and clients
// may check it, so results with capabilities are encoded with these types.

type capabilities struct {
	mcp.ServerCapabilities
	Resources *resourceCapability `json:"resources,omitempty"`
}

type resourceCapability struct {
	Subscribe   bool `json:"subscribe"`
	ListChanged bool `json:"listChanged"`
}

type initializeResult struct {
	mcp.InitializeResult
	Capabilities capabilities `json:"capabilities"`
}

type discoverResult struct {
	mcp.DiscoverResult
	Capabilities capabilities `json:"capabilities"`
}

// declared converts results with capabilities for encoding; it returns other results unchanged.
func declared(result any) any {
	switch r := result.(type) {
	case mcp.InitializeResult:
		return initializeResult{r, explicit(r.Capabilities)}
	case *mcp.InitializeResult:
		return initializeResult{*r, explicit(r.Capabilities)}
	case mcp.DiscoverResult:
		return discoverResult{r, explicit(r.Capabilities)}
	case *mcp.DiscoverResult:
		return discoverResult{*r, explicit(r.Capabilities)}
	}
	return result
}

func explicit(c mcp.ServerCapabilities) capabilities {
	out := capabilities{ServerCapabilities: c}
	if c.Resources != nil {
		out.Resources = &resourceCapability{Subscribe: c.Resources.Subscribe, ListChanged: c.Resources.ListChanged}
	}
	return out
}
