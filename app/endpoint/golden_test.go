package endpoint

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestToolsListGolden compares the list of tools with golden files, one tool per line: the first with plain
// descriptions, the second with enhancedToolDescriptions.
func TestToolsListGolden(t *testing.T) {
	for name, enhanced := range map[string]bool{"tools.jsonl": false, "tools-enhanced.jsonl": true} {
		f := newFake("a")
		f.documents, f.archive = []api.Document{{URI: "docs://a.md", Name: "a.md"}}, "/x.db"
		f.sites = []api.Site{blog}
		c := api.DefaultConfig()
		c.EnhancedToolDescriptions = enhanced
		f.config["/p/a"] = c
		p := connected(t, f, wire.Hello{Project: "/p/a"}, nil)
		var r struct{ Tools []json.RawMessage }
		p.result("tools/list", map[string]any{}, &r)
		var got []byte
		for _, tool := range r.Tools {
			got = append(append(got, tool...), '\n')
		}
		file := filepath.Join("testdata", name)
		if *update {
			must(t, os.WriteFile(file, got, 0o644))
		}
		want, err := os.ReadFile(file)
		must(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf(
				"%s is another list than the tools give; go test ./app/endpoint -run Golden -update, and look at the difference",
				file)
		}
	}
}

// inputs are the input schemas of RFC 4, verbatim.
var inputs = map[string]string{
	"create_index":     `{"type": "object", "properties": {}, "required": []}`,
	"get_index_status": `{"type": "object", "properties": {}, "required": []}`,
	"reindex_project":  `{"type": "object", "properties": {}, "required": []}`,
	"delete_index":     `{"type": "object", "properties": {}, "required": []}`,
	"search_code": `{"type": "object", "properties": {
		"query": {"type": "string", "description": "The question or code concept to search for"},
		"top_k": {"type": "number", "default": 10, "description": "Number of results to return (1-50)"}},
		"required": ["query"]}`,
	"search_docs": `{"type": "object", "properties": {
		"query": {"type": "string", "description": "The question or topic to search for in documentation"},
		"top_k": {"type": "number", "default": 10, "description": "Number of results to return (1-50)"}},
		"required": ["query"]}`,
	"search_by_path": `{"type": "object", "properties": {
		"pattern": {"type": "string", "description": "Glob pattern to match (e.g., '**/auth*.ts', 'src/**/*.md')"},
		"limit": {"type": "number", "default": 20, "description": "Maximum results to return"}},
		"required": ["pattern"]}`,
	"reindex_file": `{"type": "object", "properties": {
		"path": {"type": "string", "description": "Relative path to the file (e.g., 'src/auth/login.ts')"}},
		"required": ["path"]}`,
	"search_documents": `{"type": "object", "properties": {
		"query": {"type": "string", "description": "Search query"},
		"searchIn": {"type": "string", "enum": ["title", "content", "both"], "default": "both",
			"description": "Search target: title, content, or both"},
		"limit": {"type": "number", "description": "Maximum number of results", "default": 10},
		"fileTypes": {"type": "array", "items": {"type": "string"}, "description": "File extensions to search"}},
		"required": ["query"]}`,
	"search_index": `{"type": "object", "properties": {
		"query": {"type": "string", "description": "Search query: +must, -not, \"a phrase\""},
		"k": {"type": "integer", "default": 10, "description": "Maximum results to return"},
		"index_name": {"type": "string", "default": "default", "description": "Target index instance"}},
		"required": ["query"]}`,
	"search_add_document": `{"type": "object", "properties": {
		"doc_id": {"type": "string", "description": "Unique document identifier"},
		"content": {"type": "string", "description": "Text content to index"},
		"metadata": {"type": "object", "description": "Arbitrary key-value metadata"},
		"index_name": {"type": "string", "default": "default", "description": "Target index instance"}},
		"required": ["doc_id", "content"]}`,
	"search_create_index": `{"type": "object", "properties": {
		"index_name": {"type": "string", "description": "Name for the new index"},
		"backend": {"type": "string", "default": "memory", "description": "Index backend type"},
		"tokenizer_config": {"type": "object", "description": "Tokenizer settings", "properties": {
			"lowercase": {"type": "boolean", "default": true, "description": "Convert tokens to lowercase"},
			"min_length": {"type": "integer", "default": 2, "description": "Minimum token character length"}}}},
		"required": ["index_name"]}`,
	"searchLocalArchives": `{"type": "object", "properties": {
		"query": {"type": "string", "description": "The search query"},
		"fuzzy": {"type": "boolean", "description": "Whether to enable fuzzy matching", "default": true},
		"includeCitations": {"type": "boolean", "description": "Whether to include citation information", "default": false},
		"citationDepth": {"type": "integer", "description": "How many levels of citations to include", "default": 1,
			"minimum": 1, "maximum": 3},
		"limit": {"type": "integer", "description": "Maximum number of results to return", "default": 10,
			"minimum": 1, "maximum": 50}},
		"required": ["query"]}`,
}

// contains reports whether all includes all members of part with equal values. Lists must be equal.
func contains(all, part any) bool {
	object, isObject := part.(map[string]any)
	if !isObject {
		a, _ := json.Marshal(all)
		p, _ := json.Marshal(part)
		return bytes.Equal(a, p)
	}
	in, _ := all.(map[string]any)
	for name, value := range object {
		if has, ok := in[name]; !ok || !contains(has, value) {
			return false
		}
	}
	return in != nil
}

// TestInputSchemas checks that the tools' schemas include those of the specifications. A program lists the golden tools
// (app/e2e TestDescriptionsChangeLive).
func TestInputSchemas(t *testing.T) {
	lines, err := os.ReadFile(filepath.Join("testdata", "tools.jsonl"))
	must(t, err)
	listed := map[string]any{}
	for line := range bytes.Lines(lines) {
		var tool struct {
			Name        string
			InputSchema any
		}
		unmarshal(t, line, &tool)
		listed[tool.Name] = tool.InputSchema
	}
	for tool, want := range inputs {
		var part any
		unmarshal(t, json.RawMessage(want), &part)
		if !contains(listed[tool], part) {
			t.Errorf("%s: %v\nhas not all of\n%s", tool, listed[tool], want)
		}
	}
}

var blog = api.Site{Tool: "search_blog", SiteWords: api.SiteWords{Name: "Blog", Domain: "blog.example",
	Description: "About bread"}}
