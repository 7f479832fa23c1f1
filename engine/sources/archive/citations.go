package archive

import (
	"slices"

	"searchmcp/engine/api"
)

// maxCitations limits the citations of a result, because every document of an archive may cite the same page.
const maxCitations = 500

const (
	columns = `SELECT c.source_id, c.target_id, c.target_url, c.context, c.confidence, s.title, coalesce(t.title, '') FROM citations AS c
		JOIN documents AS s ON s.id = c.source_id LEFT JOIN documents AS t ON t.id = c.target_id `
	citing = columns + `WHERE c.source_id = ? ORDER BY c.position LIMIT ?`
	cited  = columns + `WHERE c.target_id = ? ORDER BY c.source_id, c.position LIMIT ?`
)

func (r *reading) cite(response *api.ArchiveAnswer, depth int) error {
	g := graph{reading: r, nodes: map[string]bool{}, edges: map[api.CitationEdge]bool{}}
	g.Nodes, g.Edges = []api.CitationNode{}, []api.CitationEdge{}
	for i := range response.Results {
		d := &response.Results[i]
		g.node(d.Document.ID, d.Document.Title, "source")
	}
	for i := range response.Results {
		d := &response.Results[i]
		var c api.Citations
		var err error
		var made, got int
		if c.Citing, made, err = r.walk(citing, d.Document.ID, depth); err == nil {
			c.Cited, got, err = r.walk(cited, d.Document.ID, depth)
		}
		if err != nil {
			return err
		}
		c.Omitted = made + got
		d.Citations = &c
		for _, list := range [][]api.Citation{c.Citing, c.Cited} {
			for _, e := range list {
				g.edge(e)
			}
		}
	}
	response.CitationGraph = &g.CitationGraph
	return nil
}

// walk follows citations from a document for the given number of steps. omitted is the number of citations beyond
// maxCitations.
func (r *reading) walk(query, from string, depth int) (out []api.Citation, omitted int, err error) {
	out = []api.Citation{}
	type step struct {
		id  string
		way []string
	}
	level := []step{{from, []string{from}}}
	visited := map[string]bool{from: true}
	for range depth {
		var next []step
		for _, s := range level {
			list, err := r.citations(query, s.id)
			if err != nil {
				return nil, 0, err
			}
			for _, c := range list.read {
				end := ""
				if query == cited {
					end = c.SourceID
				} else if c.TargetID != nil {
					end = *c.TargetID
				}
				if end != "" && slices.Contains(s.way, end) {
					continue
				}
				if len(out) >= maxCitations {
					omitted++
					continue
				}
				out = append(out, c)
				if end != "" && !visited[end] {
					visited[end] = true
					next = append(next, step{end, append(slices.Clone(s.way), end)})
				}
			}
			omitted += list.more
		}
		if omitted > 0 {
			break
		}
		level = next
	}
	return out, omitted, nil
}

type citationList struct {
	read []api.Citation
	more int
}

func (r *reading) citations(query, id string) (citationList, error) {
	if list, read := r.read[query+id]; read {
		return list, nil
	}
	read, err := collect(r.ctx, r.tx, func(c *api.Citation) []any {
		return []any{&c.SourceID, &c.TargetID, &c.TargetURL, &c.Context, &c.Confidence, &c.SourceTitle, &c.TargetTitle}
	}, query, id, maxCitations)
	if err != nil {
		return citationList{}, err
	}
	out := citationList{read: read}
	for i := range read {
		c := &read[i]
		if r.titles[c.SourceID] = c.SourceTitle; c.SourceID == id {
			c.SourceTitle = ""
		}
		if c.TargetID == nil {
			continue
		}
		if r.titles[*c.TargetID] = c.TargetTitle; *c.TargetID == id {
			c.TargetTitle = ""
		}
	}
	if len(out.read) == maxCitations {
		count := "SELECT count(*) FROM citations WHERE source_id = ?"
		if query == cited {
			count = "SELECT count(*) FROM citations WHERE target_id = ?"
		}
		if err := r.tx.QueryRowContext(r.ctx, count, id).Scan(&out.more); err != nil {
			return citationList{}, err
		}
		out.more -= maxCitations
	}
	r.read[query+id] = out
	return out, nil
}

type graph struct {
	api.CitationGraph
	*reading
	nodes map[string]bool
	edges map[api.CitationEdge]bool
}

func (g *graph) node(id, label, kind string) {
	if !g.nodes[id] {
		g.nodes[id] = true
		g.Nodes = append(g.Nodes, api.CitationNode{ID: id, Label: label, Type: kind})
	}
}

func (g *graph) edge(c api.Citation) {
	e := api.CitationEdge{From: c.SourceID, To: c.TargetURL, Confidence: c.Confidence}
	g.node(c.SourceID, g.titles[c.SourceID], "source")
	label := c.TargetURL
	if c.TargetID != nil {
		e.To, label = *c.TargetID, g.titles[*c.TargetID]
	}
	g.node(e.To, label, "target")
	if !g.edges[e] {
		g.edges[e] = true
		g.Edges = append(g.Edges, e)
	}
}
