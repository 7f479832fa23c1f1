package tools

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type archiveParams struct {
	Query            string `json:"query" arg:"required" doc:"The search query"`
	Fuzzy            bool   `json:"fuzzy" default:"true" doc:"Whether to enable fuzzy matching"`
	IncludeCitations bool   `json:"includeCitations" default:"false" doc:"Whether to include citation information"`
	CitationDepth    int    `json:"citationDepth" arg:"integer,1..3,bounded" default:"1" doc:"How many levels of citations to include"`
	Limit            int    `json:"limit" arg:"integer,1..50,bounded" default:"10" doc:"Maximum number of results to return"`
	Offset           int    `json:"offset" arg:"integer,0..1000,bounded" default:"0" doc:"Results to skip: the previous answer's nextOffset"`
}

func searchLocalArchives() tool {
	return define(tool{
		name: "searchLocalArchives", title: "Search local archives",
		sentence: "Searches the local research and URL content archives",
		more: "For saved pages and research, with citations; use search_docs for this project's files. " +
			`A query takes "phrases", after:2025-01-31, before:2025, source:url or research, in:folder.`,
		output: archiveAnswer{}, readOnly: true, idempotent: true, failure: archiveFailure,
		visible: func(e Engine, s *session.Session) bool {
			_, exists := scope.Archive(s, e)
			return exists
		},
	}, func(ctx context.Context, c *call, a archiveParams) (any, error) {
		path, _ := scope.Archive(c.session, c.engine)
		c.activity.Query = a.Query
		answer, err := c.engine.SearchArchive(ctx, path, api.ArchiveQuery{
			Text: a.Query, Fuzzy: a.Fuzzy, IncludeCitations: a.IncludeCitations, CitationDepth: a.CitationDepth, Limit: a.Limit,
			Offset: a.Offset,
		})
		if err != nil {
			c.r.o.Log.Warn("archive not searched", "err", err)
			return nil, err
		}
		c.activity.Results = len(answer.Results)
		return &archiveAnswer{answer}, nil
	})
}

// archiveFailure formats an error as the specification of archives requires.
func archiveFailure(err error) *mcp.CallToolResult {
	text := api.Known(err, err.Error()).UserMessage
	if api.CodeOf(err) == "" && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		text = "the call was cancelled before it finished"
	}
	content := mcp.NewTextContent("Failed to search local archives: " + errorText(text))
	return &mcp.CallToolResult{Content: []mcp.Content{content}, IsError: true}
}

type archiveAnswer struct{ *api.ArchiveAnswer }

func (a *archiveAnswer) addNote(text string) {
	if !strings.Contains(a.Metadata.Note, text) {
		a.Metadata.Note = strings.TrimSpace(a.Metadata.Note + " " + text)
	}
}

const (
	longestTitle   = 200 // in characters
	longestContext = 80  // in characters, around a citation
	// leastCitations is the minimum number of citations in each direction.
	leastCitations = 10
)

// shrink first shortens sentences and excerpts, then the lists of citations, and finally drops results.
func (a *archiveAnswer) shrink(share float64) bool {
	most := 0
	a.each(func(_ *api.Citations, list *[]api.Citation) { most = max(most, len(*list)) })
	n, least := len(a.Results), leastCitations
	if n == 1 {
		least = 0
	}
	switch {
	case a.shorten():
		a.addNote("Titles, excerpts and the sentences around citations are shortened.")
	case n == 1 && a.CitationGraph != nil:
		a.CitationGraph = nil
		a.addNote("The graph is omitted: it repeats the citations.")
	case most > least:
		limit := max(fewer(most, share), least)
		a.each(func(of *api.Citations, list *[]api.Citation) {
			if n := len(*list); n > limit {
				*list, of.Omitted = (*list)[:limit], of.Omitted+n-limit
			}
		})
		a.prune()
		a.addNote("'omitted' counts the citations of a result that did not fit. To see most of them, request the " +
			"result alone (limit 1 and its offset).")
	case drop(share, to(1, &a.Results)):
		a.Metadata.TotalResults, a.Metadata.NextOffset = len(a.Results), a.Metadata.Offset+len(a.Results)
		a.prune()
		a.addNote("Not all requested results fit into one answer. The next ones begin at nextOffset.")
	default:
		return false
	}
	return true
}

func (a *archiveAnswer) shorten() (changed bool) {
	cut := func(s *string, n int) {
		if utf8.RuneCountInString(*s) > n {
			*s, changed = display.Shorten(*s, n), true
		}
	}
	for i := range a.Results {
		cut(&a.Results[i].Document.Title, longestTitle)
		for j := range a.Results[i].Highlights {
			h := &a.Results[i].Highlights[j]
			if len(h.Snippets) > 1 {
				h.Snippets, changed = h.Snippets[:1], true
			}
			for k := range h.Snippets {
				if h.Field == "title" {
					cut(&h.Snippets[k], longestTitle)
				}
			}
		}
	}
	a.each(func(_ *api.Citations, list *[]api.Citation) {
		for i := range *list {
			c := &(*list)[i]
			cut(&c.SourceTitle, longestTitle)
			cut(&c.TargetTitle, longestTitle)
			cut(&c.Context, longestContext)
		}
	})
	if a.CitationGraph != nil {
		for i := range a.CitationGraph.Nodes {
			cut(&a.CitationGraph.Nodes[i].Label, longestTitle)
		}
	}
	return changed
}

func (a *archiveAnswer) each(visit func(of *api.Citations, list *[]api.Citation)) {
	for i := range a.Results {
		if c := a.Results[i].Citations; c != nil {
			visit(c, &c.Citing)
			visit(c, &c.Cited)
		}
	}
}

func (a *archiveAnswer) prune() {
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
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n api.CitationNode) bool { return !nodes[n.ID] })
	g.Edges = slices.DeleteFunc(g.Edges, func(e api.CitationEdge) bool { return !edges[[2]string{e.From, e.To}] })
}
