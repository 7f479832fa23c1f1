package tools

import (
	"encoding/json"
	"fmt"
	"reflect"

	"searchmcp/engine/api"
)

type Reference struct {
	Name, Title string
	Description string
	Enhanced    string // description if enhancedToolDescriptions is set, or ""
	Arguments   []Schema
	Fields      []Schema        // fields of the result
	Output      json.RawMessage // JSON schema, or nil
	Asks        bool            // the user must approve each call
	Served      string          // when the tool is listed
}

// All returns the descriptions of all tools, in the order of their groups.
func All() []Reference {
	example := api.Site{Tool: "search_<prefix>",
		SiteWords: api.SiteWords{Name: "<name>", Domain: "<domain>", Description: "<description>"}}
	var out []Reference
	for _, g := range append([]group{{served: "Always", tools: projectTools()}}, sourceTools([]api.Site{example})...) {
		if g.setting != "" {
			g.served += fmt.Sprintf(", unless the setting `%s` is false", g.setting)
		}
		for _, t := range g.tools {
			r := Reference{
				Name: t.name, Title: t.title, Description: t.describe(false), Output: t.mcp().RawOutputSchema,
				Asks: t.asks, Served: g.served + ".",
			}
			for _, p := range t.params {
				r.Arguments = append(r.Arguments, p.schema)
			}
			if t.output != nil {
				r.Fields, _ = resultOf(reflect.TypeOf(t.output))
			}
			if e := t.describe(true); e != r.Description {
				r.Enhanced = e
			}
			out = append(out, r)
		}
	}
	return out
}
