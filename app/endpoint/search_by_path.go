package endpoint

import (
	"context"
	"slices"

	"searchmcp/engine/api"
)

// pathResult is RFC 4.3's output, and what was left out.
type pathResult struct {
	Matches      []string `json:"matches"`
	TotalMatches int      `json:"totalMatches"`
	beyondRFC
	Limit     int    `json:"limit"`
	Truncated bool   `json:"truncated"`
	IndexedAt string `json:"indexedAt"`
	notes
}

func searchByPath() tool {
	return tool{
		name: "search_by_path", title: "Find files",
		sentence: "Finds files matching a glob pattern.",
		more:     "Searches the indexed files' paths, relative to the project, not their text; ** crosses folders.",
		params: []param{
			{name: "pattern", kind: kindString, required: true, description: "Glob pattern to match (e.g., '**/auth*.ts', 'src/**/*.md')"},
			{name: "limit", kind: kindNumber, min: 1, max: api.MaxGlob, def: api.DefaultLimit, description: "Maximum results to return"},
			projectsParam,
		},
		output: pathResult{}, readOnly: true, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) { return c.searchPaths(ctx) },
	}
}

func (c *call) searchPaths(ctx context.Context) (any, error) {
	pattern := c.args.text("pattern")
	if err := checkGlob(pattern); err != nil {
		return nil, err
	}
	roots, err := c.projects(ctx)
	if err != nil {
		return nil, err
	}
	roots, skipped, err := c.searchable(ctx, roots)
	if err != nil {
		return nil, err
	}
	limit := c.args.number("limit")
	c.activity.Query = pattern
	found, err := c.backend.Files(ctx, roots, api.FileQuery{Pattern: pattern, Limit: limit})
	if err != nil {
		return nil, err
	}
	r := &pathResult{
		Matches: slices.Clone(found.Matches), TotalMatches: found.Total, Limit: limit, Truncated: found.Truncated,
		IndexedAt: stamp(found.IndexedAt), notes: notes{Notes: slices.Clone(found.Notes)},
	}
	if r.Matches == nil {
		r.Matches = []string{}
	}
	if skipped != "" {
		r.addNote(skipped)
	}
	c.activity.Results = len(r.Matches)
	return r, nil
}

// shrink leaves paths out from the end.
func (r *pathResult) shrink(share float64) bool {
	const note = "The list was cut to its size limit: narrow the pattern."
	if !slices.Contains(r.Notes, note) {
		r.addNote(note)
		r.Truncated = true
	}
	if len(r.Matches) == 0 {
		return false
	}
	r.Matches = r.Matches[:min(int(float64(len(r.Matches))*share), len(r.Matches)-1)]
	return true
}
