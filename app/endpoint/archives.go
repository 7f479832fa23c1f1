package endpoint

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/api"
)

// archivesGroup is searchLocalArchives, for sessions that have an archive.
func (s *Server) archivesGroup() group {
	return group{name: groupArchives, tools: []tool{searchLocalArchives()}, visible: func(ses *session) bool {
		src, ok := s.sources()
		if !ok {
			return false
		}
		hello := ses.facts()
		_, exists := src.Archive(hello.SearchDBPath, hello.Dir)
		return exists
	}}
}

// archiveFailure is the specification's error: one sentence that begins with these words.
func archiveFailure(err error) *mcp.CallToolResult {
	text := err.Error()
	var shown *api.Error
	switch {
	case errors.As(err, &shown):
		text = shown.UserMessage
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		text = "the call was given up before it was done"
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("Failed to search local archives: " + visible(text))}, IsError: true}
}

// archiveAnswer is the tool's output.
type archiveAnswer struct{ *api.ArchiveAnswer }

// shrink gives up the graph's and the far citations first, then results from the end.
func (a archiveAnswer) shrink(share float64) bool {
	cut := func(n int) int { return min(int(float64(n)*share), n-1) }
	shorter := false
	for i := range a.Results {
		if c := a.Results[i].Citations; c != nil {
			for _, list := range []*[]api.Citation{&c.Citing, &c.Cited} {
				if n := len(*list); n > 0 {
					*list, shorter = (*list)[:cut(n)], true
				}
			}
		}
	}
	if shorter {
		a.prune()
		return true
	}
	n := len(a.Results)
	if n == 0 {
		return false
	}
	a.Results = a.Results[:cut(n)]
	a.Metadata.TotalResults = len(a.Results)
	a.prune()
	return true
}

// prune keeps of the graph what the citations that are left say.
func (a archiveAnswer) prune() {
	g := a.CitationGraph
	if g == nil {
		return
	}
	nodes, edges := map[string]bool{}, map[[2]string]bool{}
	for _, r := range a.Results {
		nodes[r.Document.ID] = true
		if r.Citations == nil {
			continue
		}
		for _, list := range [][]api.Citation{r.Citations.Citing, r.Citations.Cited} {
			for _, c := range list {
				to := c.TargetURL
				if c.TargetID != nil {
					to = *c.TargetID
				}
				nodes[c.SourceID], nodes[to], edges[[2]string{c.SourceID, to}] = true, true, true
			}
		}
	}
	kept := &api.CitationGraph{Nodes: []api.CitationNode{}, Edges: []api.CitationEdge{}}
	for _, n := range g.Nodes {
		if nodes[n.ID] {
			kept.Nodes = append(kept.Nodes, n)
		}
	}
	for _, e := range g.Edges {
		if edges[[2]string{e.From, e.To}] {
			kept.Edges = append(kept.Edges, e)
		}
	}
	a.CitationGraph = kept
}

func searchLocalArchives() tool {
	return tool{
		name: "searchLocalArchives", title: "Search local archives",
		sentence: "Searches the local research and URL content archives",
		schema: `{"type":"object","properties":{` +
			`"query":{"type":"string","description":"The search query"},` +
			`"fuzzy":{"type":"boolean","description":"Whether to enable fuzzy matching","default":true},` +
			`"includeCitations":{"type":"boolean","description":"Whether to include citation information","default":false},` +
			`"citationDepth":{"type":"integer","description":"How many levels of citations to include","default":1,"minimum":1,"maximum":3},` +
			`"limit":{"type":"integer","description":"Maximum number of results to return","default":10,"minimum":1,"maximum":50}},"required":["query"]}`,
		params: []param{
			{name: "query", kind: kindString, required: true},
			{name: "fuzzy", kind: kindBoolean, def: true},
			{name: "includeCitations", kind: kindBoolean, def: false},
			{name: "citationDepth", kind: kindNumber, min: 1, max: api.MaxCitationDepth, def: api.DefaultCitationDepth},
			{name: "limit", kind: kindNumber, min: 1, max: api.MaxArchiveLimit, def: api.DefaultArchiveLimit},
		},
		readOnly: true, idempotent: true, failure: archiveFailure,
		run: func(ctx context.Context, c *call) (any, error) {
			src, err := c.sources()
			if err != nil {
				return nil, err
			}
			hello := c.session.facts()
			path, _ := src.Archive(hello.SearchDBPath, hello.Dir)
			c.activity.Query = c.args.text("query")
			a, err := src.SearchArchive(ctx, path, api.ArchiveQuery{
				Text: c.args.text("query"), Fuzzy: *c.args.flag("fuzzy"), IncludeCitations: *c.args.flag("includeCitations"),
				CitationDepth: c.args.number("citationDepth"), Limit: c.args.number("limit"),
			})
			if err != nil {
				c.srv.log.Warn("archive not searched", "err", err)
				return nil, err
			}
			c.activity.Results = len(a.Results)
			return archiveAnswer{a}, nil
		},
	}
}
