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

// TestTokensOfToolsList limits the tokens that a session needs before its first question, for the instructions and
// for the tools' names, descriptions and input schemas. It counts them with the vocabulary and with the usual
// estimate of four characters per token, and uses the larger count.
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
		var tool struct { // the fields that a model reads
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
	t.Logf("tokens: RFC tools %d, symbol tools %d, grep_code %d, named indexes %d", ofCore, ofNames, ofGrep, ofNamed)
	if ofNames > 350 {
		t.Errorf("symbol tools: %d tokens, at most 350", ofNames)
	}
	if ofGrep > 250 {
		t.Errorf("grep_code: %d tokens, at most 250", ofGrep)
	}
	// The specification requires a description of every parameter.
	if counted != len(core)+len(named)+len(names)+1 || ofCore > 1000 || ofNamed > 430 {
		t.Errorf("%d tools; project tools: %d tokens, at most 1,000; named indexes: %d tokens, at most 430",
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
