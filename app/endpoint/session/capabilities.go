package session

import "github.com/mark3labs/mcp-go/mcp"

// The library leaves capabilities out that are false. The specification of the documents prints `"subscribe": false`,
// and a client that asks for it should find it, so the answers that declare capabilities are encoded by these types.

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

// declared gives a result that declares capabilities its encoding; any other is returned as it is.
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
