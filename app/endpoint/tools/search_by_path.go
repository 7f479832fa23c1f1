package tools

import (
	"context"
	"slices"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type pathParams struct {
	Pattern string `json:"pattern" arg:"required" doc:"Glob pattern to match (e.g., '**/auth*.ts', 'src/**/*.md')"`
	Limit   int    `json:"limit" arg:"1..100000" default:"20" doc:"Maximum results to return"`
	projectsParam
}

// pathResult is the result that RFC 4.3 defines, with more fields for an incomplete list.
type pathResult struct {
	Matches      []string `json:"matches"`
	TotalMatches int      `json:"totalMatches"`
	_            beyondRFC
	Similar      []string `json:"similar,omitempty" doc:"If nothing matches: similar paths"`
	Limit        int      `json:"limit"`
	Truncated    bool     `json:"truncated"`
	IndexedAt    string   `json:"indexedAt"`
	notes
}

func searchByPath() tool {
	return define(tool{
		name: "search_by_path", title: "Find files",
		sentence: "Finds files matching a glob pattern.",
		more:     "* stays within a folder, ** crosses folders.",
		output:   pathResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a pathParams) (any, error) {
		roots, err := c.projects(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		c.activity.Query = a.Pattern
		found, err := c.engine.Files(ctx, roots, api.FileQuery{Pattern: a.Pattern, Limit: a.Limit})
		if err != nil {
			return nil, err
		}
		r := &pathResult{
			Matches: slices.Clone(found.Matches), TotalMatches: found.Total, Limit: a.Limit,
			Truncated: found.Truncated, IndexedAt: display.Time(found.IndexedAt), notes: notes{Notes: slices.Clone(found.Notes)},
		}
		if r.Matches == nil {
			r.Matches = []string{}
		}
		if r.Similar = slices.Clone(found.Similar); len(r.Similar) > 0 {
			r.addNote("No path matches the pattern. 'similar' lists similar paths.")
		}
		c.activity.Results = len(r.Matches)
		for _, path := range r.Matches[:min(len(r.Matches), api.MostPlaces)] {
			c.activity.Places = append(c.activity.Places, api.Lines{Path: path})
		}
		return r, nil
	})
}

func (r *pathResult) shrink(share float64) bool {
	const note = "The list was cut to its size limit. Narrow the pattern."
	if !slices.Contains(r.Notes, note) {
		r.addNote(note)
		r.Truncated = true
	}
	return drop(share, to(0, &r.Matches), to(0, &r.Similar))
}
