package tools

import (
	"context"

	"searchmcp/engine/api"
)

type searchIndexParams struct {
	Query string `json:"query" arg:"listed" doc:"Search query (supports +/- and phrase operators)"`
	K     int    `json:"k" arg:"integer,1.." default:"10" doc:"Maximum results to return (default: 10)"`
	Index string `json:"index_name" default:"\"default\"" doc:"Target index instance (default: \"default\")"`
}

// namedAnswer is search_index's output.
type namedAnswer struct{ api.NamedAnswer }

func searchIndex(named Named) tool {
	return define(tool{
		name: "search_index", title: "Search a named index",
		sentence: "Search for documents matching a query string, " +
			"returning ranked results with relevance scores and context highlights.",
		more:     `Query operators: +term (must include), -term (must exclude), "phrase" (exact match). ` + shared,
		readOnly: true, idempotent: true, failure: namedFailure,
	}, func(_ context.Context, c *call, a searchIndexParams) (any, error) {
		c.activity.Query = a.Query
		answer, err := named.NamedSearch(a.Index, a.Query, a.K)
		if err != nil {
			return nil, err
		}
		c.activity.Results = len(answer.Results)
		return &namedAnswer{answer}, nil
	})
}

// shrink leaves results out from the end; total_matches still counts them.
func (a *namedAnswer) shrink(share float64) bool {
	if len(a.Results) == 0 {
		return false
	}
	a.Results = a.Results[:fewer(len(a.Results), share)]
	return true
}
