package tools

import (
	"encoding/json"
	"fmt"
	"reflect"

	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

type Reference struct {
	Name, Title string
	Description string
	Enhanced    string // description with enhancedToolDescriptions, or "" if it is the same
	Arguments   []Schema
	Fields      []Schema        // fields of the result
	Output      json.RawMessage // JSON schema, or nil
	Asks        bool            // the user must approve each call
	Served      string          // states when the tool is listed
}

// All returns the descriptions of all tools, in the order of their groups. It describes a site's tool with
// placeholders.
func All() []Reference {
	example := api.Site{Tool: "search_<prefix>", Name: "<name>", Domain: "<domain>", Description: "<description>"}
	var out []Reference
	for _, g := range []struct {
		tools  []tool
		served string
	}{
		{projectTools(), "Always."},
		{[]tool{searchDocuments()}, unless("If the session has documents", scope.SettingDocuments)},
		{[]tool{searchSite(example)}, unless("One for each added site", SettingSites)},
		{namedTools(), unless("Always", SettingNamed)},
		{[]tool{searchLocalArchives()}, unless("If there is an archive or SEARCH_DB_PATH is set", SettingArchives)},
	} {
		for _, t := range g.tools {
			r := Reference{
				Name: t.name, Title: t.title, Description: t.describe(false), Output: t.mcp().RawOutputSchema,
				Asks: t.asks, Served: g.served,
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

func unless(served, setting string) string {
	return fmt.Sprintf("%s, unless the setting `%s` is false.", served, setting)
}
