package tools

import (
	"encoding/json"
	"fmt"
	"reflect"

	"searchmcp/app/endpoint/scope"
	"searchmcp/engine/api"
)

// Reference describes a tool for the reference page.
type Reference struct {
	Name, Title string
	Description string // as sent
	Enhanced    string // description with enhancedToolDescriptions, or "" if unchanged
	Arguments   []Schema
	Fields      []Schema        // fields of the answer
	Output      json.RawMessage // JSON schema of the answer, or nil
	Asks        bool            // needs the user's approval
	Served      string          // when the tool is listed, in one sentence
}

// All describes all tools in the order of the groups, with an example of a site's tool.
func All() []Reference {
	example := api.Site{Tool: "search_<prefix>", Name: "<name>", Domain: "<domain>", Description: "<description>"}
	var out []Reference
	for _, g := range []struct {
		tools  []tool
		served string
	}{
		{projectGroup().tools, "Always."},
		{symbolGroup().tools, "Always."},
		{documentsGroup().tools, unless("If the session has documents", scope.SettingDocuments)},
		{siteGroup(example).tools, unless("One for each added site", SettingSites)},
		{namedGroup().tools, unless("Always", SettingNamed)},
		{archivesGroup().tools, unless("If there is an archive or SEARCH_DB_PATH is set", SettingArchives)},
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
