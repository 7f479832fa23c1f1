package endpoint

import (
	"encoding/json"
	"fmt"
	"slices"

	"searchmcp/engine/api"
)

// ToolReference is what a client can read of a tool, for the reference.
type ToolReference struct {
	Name, Title string
	Description string          // as it is sent
	Enhanced    string          // with enhancedToolDescriptions; "" if that changes nothing
	Input       json.RawMessage // JSON schema
	Output      json.RawMessage // JSON schema; nil: none is declared
	Asks        bool            // a person is asked before it does anything
	Served      string          // when it is listed, one sentence
}

// PromptReference is what a client can read of a prompt.
type PromptReference struct{ Name, Title, Description, Argument, Meaning string }

// ToolsReference describes every tool in the order of the groups. A site's tool is shown for a site of that name.
func ToolsReference() []ToolReference {
	example := api.Site{Tool: "search_<prefix>", Name: "<name>", Domain: "<domain>", Description: "<description>"}
	asking := []string{"create_index", "reindex_project", "delete_index"}
	var out []ToolReference
	for _, g := range []struct {
		tools  []tool
		served string
	}{
		{projectGroup().tools, "Always."},
		{[]tool{searchDocuments()}, fmt.Sprintf("When the session has documents, unless the setting `%s` is false.", groupDocuments)},
		{siteGroup(example).tools, fmt.Sprintf("One for each site that was added, unless the setting `%s` is false.", groupSites)},
		{namedGroup().tools, fmt.Sprintf("Always, unless the setting `%s` is false.", groupNamed)},
		{[]tool{searchLocalArchives()}, fmt.Sprintf("When there is an archive or SEARCH_DB_PATH is set, unless the setting `%s` is false.", groupArchives)},
	} {
		for _, t := range g.tools {
			m := t.mcp()
			r := ToolReference{
				Name: t.name, Title: t.title, Description: t.describe(false), Input: m.RawInputSchema, Output: m.RawOutputSchema,
				Asks: slices.Contains(asking, t.name), Served: g.served,
			}
			if e := t.describe(true); e != r.Description {
				r.Enhanced = e
			}
			out = append(out, r)
		}
	}
	return out
}

// PromptsReference describes every prompt.
func PromptsReference() []PromptReference {
	out := make([]PromptReference, 0, len(prompts))
	for _, p := range prompts {
		out = append(out, PromptReference{p.name, p.title, p.description, p.argument, p.meaning})
	}
	return out
}
