package tools

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// Archives searches the session's archive.
type Archives interface {
	// Archive returns the session's archive; exists is false if there is none.
	Archive(searchDBPath, dir string) (path string, exists bool)
	SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error)
}

// archivesGroup contains searchLocalArchives, for sessions with an archive.
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
	Offset           int    `json:"offset" arg:"integer,0..1000,bounded" default:"0" doc:"Results to leave out: the nextOffset of the answer before"`
}

func searchLocalArchives(archives Archives) tool {
	return define(tool{
		name: "searchLocalArchives", title: "Search local archives",
		sentence: "Searches the local research and URL content archives",
		more: "Take it for pages and research that were saved, with citations; search_docs for this project's files. " +
			`A query takes "phrases", after:2025-01-31, before:2025, source:url or research, in:folder.`,
		output: archiveAnswer{}, readOnly: true, idempotent: true, failure: archiveFailure,
	}, func(ctx context.Context, c *call, a archiveParams) (any, error) {
		hello := c.session.Hello()
		path, _ := archives.Archive(hello.SearchDBPath, hello.Dir)
		c.activity.Query = a.Query
		answer, err := archives.SearchArchive(ctx, path, api.ArchiveQuery{
			Text: a.Query, Fuzzy: a.Fuzzy, IncludeCitations: a.IncludeCitations, CitationDepth: a.CitationDepth, Limit: a.Limit,
			Offset: a.Offset,
		})
		if err != nil {
			c.r.o.Log.Warn("archive not searched", "err", err)
			return nil, err
		}
		c.activity.Results = len(answer.Results)
		return &archiveAnswer{ArchiveAnswer: answer}, nil
	})
}

// archiveFailure returns the specification's error: one sentence with a fixed beginning.
func archiveFailure(err error) *mcp.CallToolResult {
	text := err.Error()
	var shown *api.Error
	switch {
	case errors.As(err, &shown):
		text = shown.UserMessage
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		text = "the call was given up before it was done"
	}
	content := mcp.NewTextContent("Failed to search local archives: " + display.Visible(text))
	return &mcp.CallToolResult{Content: []mcp.Content{content}, IsError: true}
}

// archiveAnswer is the tool's output.
type archiveAnswer struct {
	*api.ArchiveAnswer
	said []string // sentences of the note
}

// addNote adds a sentence to the metadata's note.
func (a *archiveAnswer) addNote(text string) { a.say(text) }

const (
	longestTitle = 200 // characters of a title in an answer that is too long
	// leastCitations is the number of citations in each direction that each result keeps before results are dropped.
	// Most notes have no more.
	leastCitations = 10
)

// contexts are the lengths in characters to which citation sentences are cut before citations are dropped.
var contexts = []int{120, 60}

// shrink shortens titles and citation sentences, keeps one excerpt per result, and then drops the last citations of the
// results with the most citations, down to leastCitations. After that it drops results from the end, which the next
// page then begins with. A single result loses citation sentences and its graph first. Omissions are counted.
func (a *archiveAnswer) shrink(share float64) bool {
	longest, most, total := 0, 0, 0
	a.each(func(_ *api.Citations, list *[]api.Citation) {
		for _, c := range *list {
			longest = max(longest, utf8.RuneCountInString(c.Context))
		}
		most, total = max(most, len(*list)), total+len(*list)
	})
	n := len(a.Results)
	least := leastCitations
	if n == 1 {
		least = 0
	}
	switch {
	case a.shortenTitles():
		a.say("Long titles are shortened.")
	case longest > contexts[0]:
		a.shortenContexts(contexts[0])
		a.say("The sentences around citations are shortened.")
	case a.oneSnippet():
		a.say("Each result has one excerpt.")
	case longest > contexts[1]:
		a.shortenContexts(contexts[1])
	case n == 1 && a.CitationGraph != nil:
		a.CitationGraph = nil
		a.say("The graph is omitted: it repeats the citations.")
	case n == 1 && longest > 0:
		a.shortenContexts(0)
		a.say("The sentences around citations are left out.")
	case most > least:
		a.leaveOutCitations(max(fewer(total, share), n), least)
		a.say("'omitted' counts the citations of a result that did not fit; requested alone (limit 1 and its " +
			"offset) it includes most.")
	case n > 1:
		a.Results = a.Results[:fewer(n, share)]
		a.Metadata.TotalResults, a.Metadata.NextOffset = len(a.Results), a.Metadata.Offset+len(a.Results)
		a.prune()
		a.say("Not all results that were asked for fit into one answer: the others begin at nextOffset.")
	default:
		return false
	}
	return true
}

// say adds a sentence to the note once.
func (a *archiveAnswer) say(text string) {
	if !slices.Contains(a.said, text) {
		a.said = append(a.said, text)
		a.Metadata.Note = strings.Join(a.said, " ")
	}
}

// shortenTitles shortens long titles and reports whether there were any.
func (a *archiveAnswer) shortenTitles() (shortened bool) {
	cut := func(s *string) {
		if utf8.RuneCountInString(*s) > longestTitle {
			*s, shortened = display.Shorten(*s, longestTitle), true
		}
	}
	for i := range a.Results {
		cut(&a.Results[i].Document.Title)
		for _, h := range a.Results[i].Highlights {
			for j := range h.Snippets {
				if h.Field == "title" {
					cut(&h.Snippets[j])
				}
			}
		}
	}
	a.each(func(_ *api.Citations, list *[]api.Citation) {
		for i := range *list {
			cut(&(*list)[i].SourceTitle)
			cut(&(*list)[i].TargetTitle)
		}
	})
	if a.CitationGraph != nil {
		for i := range a.CitationGraph.Nodes {
			cut(&a.CitationGraph.Nodes[i].Label)
		}
	}
	return shortened
}

func (a *archiveAnswer) shortenContexts(n int) {
	a.each(func(_ *api.Citations, list *[]api.Citation) {
		for i := range *list {
			if c := &(*list)[i]; n > 0 {
				c.Context = display.Shorten(c.Context, n)
			} else {
				c.Context = ""
			}
		}
	})
}

// oneSnippet keeps one snippet per result and reports whether it dropped any.
func (a *archiveAnswer) oneSnippet() (had bool) {
	for _, r := range a.Results {
		for i, h := range r.Highlights {
			if len(h.Snippets) > 1 {
				r.Highlights[i].Snippets, had = h.Snippets[:1], true
			}
		}
	}
	return had
}

// leaveOutCitations keeps about target citations in total, and at least least in each list.
func (a *archiveAnswer) leaveOutCitations(target, least int) {
	most, total := 0, 0
	a.each(func(_ *api.Citations, list *[]api.Citation) { most, total = max(most, len(*list)), total+len(*list) })
	for total > target && most > least {
		most--
		total = 0
		a.each(func(_ *api.Citations, list *[]api.Citation) { total += min(len(*list), most) })
	}
	a.each(func(of *api.Citations, list *[]api.Citation) {
		if n := len(*list); n > most {
			*list, of.Omitted = (*list)[:most], of.Omitted+n-most
		}
	})
	a.prune()
}

// each calls visit for both lists of citations of every result.
func (a *archiveAnswer) each(visit func(of *api.Citations, list *[]api.Citation)) {
	for i := range a.Results {
		if c := a.Results[i].Citations; c != nil {
			visit(c, &c.Citing)
			visit(c, &c.Cited)
		}
	}
}

// prune reduces the graph to the remaining citations.
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
