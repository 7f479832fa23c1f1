package tools

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/session"
	"searchmcp/app/endpoint/words"
	"searchmcp/engine/api"
)

// Archives searches the archive that a session means.
type Archives interface {
	// Archive finds it; exists is false if there is nothing to serve.
	Archive(searchDBPath, dir string) (path string, exists bool)
	SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error)
}

// archivesGroup is searchLocalArchives, for sessions that have an archive.
func archivesGroup(archives Archives) group {
	visible := func(s *session.Session) bool {
		hello := s.Hello()
		_, exists := archives.Archive(hello.SearchDBPath, hello.Dir)
		return exists
	}
	return group{name: SettingArchives, tools: []tool{searchLocalArchives(archives)}, visible: visible}
}

type archiveParams struct {
	Query            string `json:"query" arg:"required" doc:"The search query"`
	Fuzzy            bool   `json:"fuzzy" default:"true" doc:"Whether to enable fuzzy matching"`
	IncludeCitations bool   `json:"includeCitations" default:"false" doc:"Whether to include citation information"`
	CitationDepth    int    `json:"citationDepth" arg:"integer,1..3,bounded" default:"1" doc:"How many levels of citations to include"`
	Limit            int    `json:"limit" arg:"integer,1..50,bounded" default:"10" doc:"Maximum number of results to return"`
}

func searchLocalArchives(archives Archives) tool {
	return define(tool{
		name: "searchLocalArchives", title: "Search local archives",
		sentence: "Searches the local research and URL content archives",
		more: "Take it for pages and research that were saved, with citations; search_docs for this project's files. " +
			`A query takes "phrases", after:2025-01-31, before:2025, source:url or research, in:folder.`,
		readOnly: true, idempotent: true, failure: archiveFailure,
	}, func(ctx context.Context, c *call, a archiveParams) (any, error) {
		hello := c.session.Hello()
		path, _ := archives.Archive(hello.SearchDBPath, hello.Dir)
		c.activity.Query = a.Query
		answer, err := archives.SearchArchive(ctx, path, api.ArchiveQuery{
			Text: a.Query, Fuzzy: a.Fuzzy, IncludeCitations: a.IncludeCitations, CitationDepth: a.CitationDepth, Limit: a.Limit,
		})
		if err != nil {
			c.r.o.Log.Warn("archive not searched", "err", err)
			return nil, err
		}
		c.activity.Results = len(answer.Results)
		return archiveAnswer{answer}, nil
	})
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
	content := mcp.NewTextContent("Failed to search local archives: " + words.Visible(text))
	return &mcp.CallToolResult{Content: []mcp.Content{content}, IsError: true}
}

// archiveAnswer is the tool's output.
type archiveAnswer struct{ *api.ArchiveAnswer }

// contexts are the lengths to which the sentences of citations are cut before any citation is left out, in characters.
var contexts = []int{120, 60}

// shrink shortens the sentences around citations first, then leaves out the furthest citations of the results that have most of
// them, then results from the end. What is left out is counted.
func (a archiveAnswer) shrink(share float64) bool {
	longest, most, total := 0, 0, 0
	a.each(func(_ *api.Citations, list *[]api.Citation) {
		for _, c := range *list {
			longest = max(longest, utf8.RuneCountInString(c.Context))
		}
		most, total = max(most, len(*list)), total+len(*list)
	})
	for _, n := range contexts {
		if longest > n {
			a.each(func(_ *api.Citations, list *[]api.Citation) {
				for i := range *list {
					(*list)[i].Context = words.Shorten((*list)[i].Context, n)
				}
			})
			a.Metadata.Note = "The sentences around citations are shortened."
			return true
		}
	}
	if total > 0 {
		target := fewer(total, share)
		for most > 0 && total > target {
			most--
			total = 0
			a.each(func(_ *api.Citations, list *[]api.Citation) { total += min(len(*list), most) })
		}
		a.each(func(of *api.Citations, list *[]api.Citation) {
			if n := len(*list); n > most {
				*list, of.Omitted = (*list)[:most], of.Omitted+n-most
			}
		})
		a.Metadata.Note = "Not all citations fit into one answer: 'omitted' counts the others of each result. Ask with a lower limit to see them."
		a.prune()
		return true
	}
	n := len(a.Results)
	if n == 0 {
		return false
	}
	a.Results = a.Results[:fewer(n, share)]
	a.Metadata.Note = fmt.Sprintf("Only %d of %d results fit into one answer.", len(a.Results), a.Metadata.TotalResults)
	a.prune()
	return true
}

// each visits both lists of every result.
func (a archiveAnswer) each(visit func(of *api.Citations, list *[]api.Citation)) {
	for i := range a.Results {
		if c := a.Results[i].Citations; c != nil {
			visit(c, &c.Citing)
			visit(c, &c.Cited)
		}
	}
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
