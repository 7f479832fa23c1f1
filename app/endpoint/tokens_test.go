package endpoint

import (
	"encoding/json"
	"testing"

	"searchmcp/app/bench/quality/token"
	"searchmcp/app/endpoint/tools"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// What a session costs before its first question: tokens of what a model reads of tools/list (names, descriptions,
// input schemas) and of the instructions. They are counted twice, by a byte-pair vocabulary and by four characters a
// token, the usual estimate; the larger count has to be within the budget.
func TestTokensOfToolsList(t *testing.T) {
	f := &fakeSources{fake: newFake("a"), documents: []api.Document{{URI: "docs://a.md", Name: "a.md"}}, archive: "/x.db"}
	p := serve(t, Options{Engine: f}).peer(t, &wire.Hello{Project: "/p/a"})
	p.handshake(nil)
	if n := tokensOf(t, tools.Instructions); n > 450 {
		t.Errorf("instructions: %d tokens, at most 450", n)
	}
	list, failure := p.call("tools/list", map[string]any{})
	if failure != "" {
		t.Fatal(failure)
	}
	var r struct {
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
	}
	unmarshal(t, list, &r)
	named := map[string]bool{"search_index": true, "search_add_document": true, "search_create_index": true}
	core := map[string]bool{"create_index": true, "search_code": true, "search_by_path": true, "get_index_status": true,
		"reindex_project": true, "reindex_file": true, "delete_index": true, "search_docs": true, "list_projects": true}
	names := map[string]bool{}
	for _, name := range beyond {
		names[name] = true
	}
	var ofCore, ofNamed, ofNames, counted int
	for _, tool := range r.Tools {
		b, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		switch n := tokensOf(t, string(b)); {
		case core[tool.Name]:
			ofCore += n
			counted++
		case names[tool.Name]:
			ofNames += n
			counted++
		case named[tool.Name]:
			ofNamed += n
			counted++
		}
	}
	t.Logf("tokens: the RFC's tools %d, those about names %d, named indexes %d", ofCore, ofNames, ofNamed)
	if ofNames > 350 {
		t.Errorf("the tools about names have %d tokens, at most 350", ofNames)
	}
	// the specification describes every parameter
	if counted != len(core)+len(named)+len(names) || ofCore > 1000 || ofNamed > 430 {
		t.Errorf("%d tools; the nine of the projects have %d tokens, at most 1,000; the named indexes' three %d, at most 430",
			counted, ofCore, ofNamed)
	}
}

func tokensOf(t *testing.T, s string) int {
	t.Helper()
	n, err := token.Count(s)
	if err != nil {
		t.Fatal(err)
	}
	return max(n, (len(s)+3)/4)
}
