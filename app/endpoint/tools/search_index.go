package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type searchIndexParams struct {
	Query string `json:"query" arg:"listed" doc:"Search query: +must, -not, \"a phrase\""`
	K     int    `json:"k" arg:"integer,1.." default:"10" doc:"Maximum results to return"`
	Index string `json:"index_name" default:"\"default\"" doc:"Target index instance"`
}

// namedAnswer is the output of search_index. A shortened answer has a note.
type namedAnswer struct {
	api.NamedAnswer
	Omitted int `json:"omitted,omitempty"` // matches that the answer omits
	notes
	metadata int // maximum size of shortened metadata in bytes, or 0
}

func searchIndex() tool {
	return define(tool{
		name: "search_index", title: "Search a named index",
		sentence: "Search for documents matching a query string, " +
			"returning ranked results with relevance scores and context highlights.",
		more:   "For texts you added with search_add_document; use search_docs for this project's files.",
		output: namedAnswer{}, readOnly: true, idempotent: true, failure: namedFailure,
	}, func(_ context.Context, c *call, a searchIndexParams) (any, error) {
		c.activity.Query = a.Query
		answer, err := c.engine.NamedSearch(a.Index, a.Query, a.K)
		if err != nil {
			return nil, err
		}
		c.activity.Results = len(answer.Results)
		return &namedAnswer{NamedAnswer: answer}, nil
	})
}

// leastMetadata is the minimum size of shortened metadata in bytes.
const leastMetadata = 256

func (a *namedAnswer) shrink(share float64) bool {
	longest := 0
	for _, r := range a.Results {
		longest = max(longest, len(r.Metadata))
	}
	if longest > leastMetadata && a.metadata != leastMetadata {
		if a.metadata == 0 {
			a.addNote(
				"Long metadata is shortened in this answer but kept in the index. Request fewer results (k) to see more of it.")
		}
		a.metadata = max(leastMetadata, int(float64(longest)*share*0.9))
		for i := range a.Results {
			a.Results[i].Metadata = abridge(a.Results[i].Metadata, a.metadata)
		}
		return true
	}
	n := len(a.Results)
	dropped := drop(share, to(0, &a.Results))
	a.Omitted += n - len(a.Results)
	return dropped
}

// abridge shortens a JSON object to about limit bytes, long values first. The member "…" contains the number of dropped
// members.
func abridge(object json.RawMessage, limit int) json.RawMessage {
	if len(object) <= limit {
		return object
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return json.RawMessage(`{}`)
	}
	names := slices.Sorted(maps.Keys(members))
	each := max(24, limit/len(names)-16)
	kept, size, left := map[string]json.RawMessage{}, 2, 0
	for _, name := range names {
		value := members[name]
		if len(value) > each {
			text := string(value)
			_ = json.Unmarshal(value, &text) // values other than strings are shortened as JSON
			value, _ = json.Marshal(display.Shorten(text, each))
		}
		if size += len(name) + len(value) + 4; size > limit && len(kept) > 0 {
			left++
			continue
		}
		kept[name] = value
	}
	if left > 0 {
		kept["…"], _ = json.Marshal(fmt.Sprintf("%d more", left))
	}
	out, err := json.Marshal(kept)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return out
}
