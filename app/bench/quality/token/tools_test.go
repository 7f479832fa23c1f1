package token

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/app/endpoint/tools"
)

// What a session costs before its first question: tokens of what a model reads of tools/list (names, descriptions,
// input schemas; the golden list) and of the instructions. They are counted twice, by a byte-pair vocabulary and by four characters a
// token, the usual estimate; the larger count has to be within the budget.
func TestTokensOfToolsList(t *testing.T) {
	if n := tokensOf(t, tools.Instructions); n > 450 {
		t.Errorf("instructions: %d tokens, at most 450", n)
	}
	list, err := os.ReadFile(filepath.Join("..", "..", "..", "endpoint", "testdata", "tools.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	named := []string{"search_index", "search_add_document", "search_create_index"}
	core := []string{"create_index", "search_code", "search_by_path", "get_index_status", "reindex_project", "reindex_file",
		"delete_index", "search_docs", "list_projects"}
	names := []string{"find_symbol", "outline"}
	var ofCore, ofNamed, ofNames, ofGrep, counted int
	for line := range strings.Lines(string(list)) {
		var tool struct { // what a model reads
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
		if err := json.Unmarshal([]byte(line), &tool); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		n := tokensOf(t, string(b))
		switch counted++; {
		case slices.Contains(core, tool.Name):
			ofCore += n
		case slices.Contains(names, tool.Name):
			ofNames += n
		case slices.Contains(named, tool.Name):
			ofNamed += n
		case tool.Name == "grep_code":
			ofGrep += n
		default:
			counted--
		}
	}
	t.Logf("tokens: the RFC's tools %d, those about names %d, grep_code %d, named indexes %d", ofCore, ofNames, ofGrep, ofNamed)
	if ofNames > 350 {
		t.Errorf("the tools about names have %d tokens, at most 350", ofNames)
	}
	if ofGrep > 250 {
		t.Errorf("grep_code has %d tokens, at most 250", ofGrep)
	}
	// the specification describes every parameter
	if counted != len(core)+len(named)+len(names)+1 || ofCore > 1000 || ofNamed > 430 {
		t.Errorf("%d tools; the nine of the projects have %d tokens, at most 1,000; the named indexes' three %d, at most 430",
			counted, ofCore, ofNamed)
	}
}

func tokensOf(t *testing.T, s string) int {
	t.Helper()
	n, err := Count(s)
	if err != nil {
		t.Fatal(err)
	}
	return max(n, (len(s)+3)/4)
}
