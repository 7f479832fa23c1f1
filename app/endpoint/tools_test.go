package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// always is the number of tools that every session has, even before the engine has started.
const always = 12

const namedTools = 3

type listedTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  map[string]any  `json:"annotations"`
}

func list(t *testing.T, p *peer) map[string]listedTool {
	t.Helper()
	raw, e := p.call("tools/list", map[string]any{})
	if e != "" {
		t.Fatal(e)
	}
	if tools := strings.Count(string(raw), `"inputSchema"`); tools == always+namedTools && len(raw) > 25<<10 {
		t.Errorf("tools/list takes %d bytes, more than 25 KB", len(raw)) // half is output schemas, which models don't see
	}
	var r struct{ Tools []listedTool }
	must(t, json.Unmarshal(raw, &r))
	tools := map[string]listedTool{}
	for _, l := range r.Tools {
		tools[l.Name] = l
	}
	return tools
}

// errorForm is the form of an error (RFC 6.1).
var errorForm = regexp.MustCompile(`^{"code":"[A-Z_]+","userMessage":".*","developerMessage":".*"}$`)

func TestArgumentsAreCheckedInWords(t *testing.T) {
	p := connected(t, newFake("shop"), wire.Hello{Project: "/p/shop"}, nil)
	for _, test := range []struct {
		tool string
		args any
		code api.Code
		want string
	}{
		{"search_code", map[string]any{"query": "x", "top_k": "ten"}, api.InvalidArgument, `not \"ten\"`},
		{"search_code", map[string]any{"query": "x", "top_k": 2.5}, api.InvalidArgument, "not 2.5"},
		{"search_code", map[string]any{"query": "x", "top_k": 1e300}, api.InvalidArgument, "from 1 to 50"},
		{"search_code", map[string]any{"query": ""}, api.InvalidArgument, "not empty"},
		{"search_docs", map[string]any{"query": " \n"}, api.InvalidArgument, "not empty"},
		{"search_code", map[string]any{"quary": "x", "a": 1}, api.InvalidArgument,
			"'query' is missing. It must be a string. Unknown arguments were ignored: a, quary."},
		{"search_code", map[string]any{"query": nil}, api.InvalidArgument, "'query' is missing"},
		{"search_code", map[string]any{"query": 7}, api.InvalidArgument, "a string, not 7"},
		{"search_code", map[string]any{"query": "x", "include_tests": "yes"}, api.InvalidArgument, "true or false"},
		{"search_code", map[string]any{"query": "x", "offset": -5}, api.InvalidArgument, "from 0"},
		{"search_code", map[string]any{"query": "x", "max_tokens": 1}, api.InvalidArgument, "from 100"},
		{"search_code", map[string]any{"query": "x", "path": "src/[a"}, api.InvalidPattern, "src/[a"},
		{"search_code", map[string]any{"query": "x", "project": "nobody"}, api.InvalidArgument,
			"Registered projects: shop (/p/shop).\",\"developer"},
		{"search_code", map[string]any{"query": "x", "project": 3}, api.InvalidArgument, "a string"},
		{"search_code", []any{1, 2}, api.InvalidArgument, "must be a JSON object"},
		{"search_by_path", map[string]any{"pattern": "a[b"}, api.InvalidPattern, "The search pattern 'a[b' is invalid."},
		{"search_by_path", map[string]any{"pattern": "{a,b"}, api.InvalidPattern, "INVALID_PATTERN: "},
		{"search_by_path", map[string]any{"pattern": strings.Repeat("*", 5000)}, api.InvalidPattern, "longer than"},
		{"search_by_path", map[string]any{"pattern": "*", "limit": 0}, api.InvalidArgument, "from 1"},
		{"reindex_file", map[string]any{"path": ""}, api.InvalidArgument, "not empty"},
		{"reindex_file", map[string]any{"path": "../../etc/passwd"}, api.FileNotFound, "doesn't exist or isn't indexed"},
		{"reindex_file", map[string]any{"path": strings.Repeat("a/", 5000)}, api.FileNotFound, "doesn't exist"},
		{"create_index", map[string]any{"project": "/nowhere"}, api.InvalidArgument, `No project \"/nowhere\".`},
		{"create_index", nil, api.AlreadyIndexed, "reindex_project"},
	} {
		r := decode(t, p.answer(p.request("tools/call", map[string]any{"name": test.tool, "arguments": test.args})))
		if !r.IsError || r.code() != string(test.code) || !strings.Contains(string(r.Structured), test.want) {
			t.Errorf("%s %v: error=%v %s, want %s with %q", test.tool, test.args, r.IsError, r.Structured, test.code, test.want)
		}
		if !errorForm.Match(r.Structured) {
			t.Errorf("%s %v: %s", test.tool, test.args, r.Structured)
		}
	}
}

func TestLongQueryIsCut(t *testing.T) {
	f := newFake("shop")
	var got api.Query
	f.search = func(_ context.Context, _ []string, q api.Query) (api.Results, error) {
		got = q
		return api.Results{}, nil
	}
	h := serve(t, f)
	p := h.client(t, &wire.Hello{Project: "/p/shop"}, nil)
	r := p.tool("search_code", map[string]any{
		"query": strings.Repeat("ä", 50<<10) + "panic at the end", "path": "src/**", "language": " Go",
		"include_tests": false, "max_tokens": 500, "offset": 20, "top_k": 7})
	if len(got.Text) > api.MaxQuery || !strings.HasSuffix(got.Text, "äpanic at the end") ||
		!utf8.ValidString(got.Text) || r.field(t, "truncated") != true ||
		!strings.Contains(string(r.Structured), "Only the first and the last 4096 were used") {
		t.Errorf("query of %d bytes; %s", len(got.Text), r.Structured)
	}
	if got.TopK != 7 || got.Offset != 20 || got.PathGlob != "src/**" || got.Language != "go" || *got.IncludeTests ||
		got.MaxTokens != 500 || got.Corpus != api.CorpusCode {
		t.Errorf("query %+v", got)
	}
	p.tool("search_by_path", map[string]any{"pattern": strings.Repeat("ä", api.MaxQuery)})
	if a := h.activity.List()[0]; a.Tool != "search_by_path" || len(a.Query) > api.MaxQuery {
		t.Errorf("%s with a query of %d bytes is recorded", a.Tool, len(a.Query))
	}
}

// TestElsewhere checks that a search without good results names the other tool and the filters if these have some.
func TestElsewhere(t *testing.T) {
	f := newFake("shop")
	f.search = func(_ context.Context, _ []string, q api.Query) (r api.Results, err error) {
		switch {
		case q.Corpus == api.CorpusDocs && q.Text == "manual":
			r.Hits = []api.Hit{{Path: "README.md", Score: 0.9}}
		case q.Corpus == api.CorpusCode && q.Text == "cart" && q.Language == "":
			r.Hits = []api.Hit{{Path: "cart.go", Score: 0.9}, {Path: "cart.py", Score: 0.8}, {Path: "x.go", Weak: true}}
		}
		r.Total = len(r.Hits)
		return r, nil
	}
	p := connected(t, f, wire.Hello{Project: "/p/shop"}, nil)
	for _, test := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"search_code", map[string]any{"query": "manual"},
			"search_docs finds 1 passage about this; the best is in README.md."},
		{"search_docs", map[string]any{"query": "cart"}, "search_code finds 2 passages about this; the best is in cart.go."},
		{"search_code", map[string]any{"query": "cart", "language": "js"}, "Without language search_code finds 2 passages"},
		{"search_code", map[string]any{"query": "=>"}, "The query has no words to search for."},
	} {
		r := p.tool(test.tool, test.args)
		if r.IsError || !strings.Contains(string(r.Structured), test.want) {
			t.Errorf("%s %v: %s", test.tool, test.args, r.Structured)
		}
	}
}

func TestTextOfFilesCannotHideAnything(t *testing.T) {
	f := newFake("shop")
	f.search = func(context.Context, []string, api.Query) (api.Results, error) {
		return api.Results{Total: 1, Hits: []api.Hit{{Path: "a\u202egpj.exe",
			Text: "\x1b[31mred\x1b[0m\r\nnext\u200b\u2066\u0000\xff<b> & \t"}}}, nil
	}
	p := connected(t, f, wire.Hello{Project: "/p/shop"}, nil)
	r := p.tool("search_code", map[string]any{"query": "x"})
	hit := r.field(t, "results").([]any)[0].(map[string]any)
	wantEqual(t, hit["path"], `a\u202egpj.exe`, "hit")
	wantEqual(t, hit["text"], "\\x1b[31mred\\x1b[0m\nnext\\u200b\\u2066\\x00\ufffd<b> & \t", "hit")
}

func TestInternalErrorsAreHidden(t *testing.T) {
	f := newFake("shop")
	p := connected(t, f, wire.Hello{Project: "/p/shop"}, nil)
	for _, search := range []func(context.Context, []string, api.Query) (api.Results, error){
		func(context.Context, []string, api.Query) (api.Results, error) { return api.Results{}, errBroken },
		func(context.Context, []string, api.Query) (api.Results, error) {
			panic("secret detail: " + fmt.Sprint(f))
		},
	} {
		f.search = search
		r := p.tool("search_code", map[string]any{"query": "x"})
		if !r.IsError || r.code() != string(api.Internal) || strings.Contains(string(r.Structured), "secret") ||
			strings.Contains(string(r.Structured), ".go:") {
			t.Errorf("%s", r.Structured)
		}
	}
	f.search = func(context.Context, []string, api.Query) (api.Results, error) {
		return api.Results{}, fmt.Errorf("open index: %w", api.ErrDocsIndexNotFound("abc"))
	}
	wantText(t, p.tool("search_docs", map[string]any{"query": "x"}),
		`"DOCS_INDEX_NOT_FOUND: No docs index at ~/.mcp/search/indexes/abc/docs.lancedb/"`)
	wantPrefix(t, failure(p.call("tools/call", map[string]any{"name": "no_such_tool"})), "-32602", "unknown tool: error")
}

// TestBehindResults checks that further declarations follow the results, and are dropped first if the answer is too
// long.
func TestBehindResults(t *testing.T) {
	f := newFake("shop")
	f.search = func(_ context.Context, _ []string, _ api.Query) (api.Results, error) {
		hit := api.Hit{Path: "cart.go", Text: strings.Repeat("x", 300), Score: 0.3, StartLine: 1, EndLine: 1}
		at := func(path string, line int) api.Summary {
			return api.Summary{Lines: api.Lines{Path: path, StartLine: line, EndLine: line + 2}, Signature: "func a()"}
		}
		return api.Results{State: api.StateReady, Semantic: true, Total: 9, Hits: []api.Hit{hit, hit},
			More: []api.Summary{at("cart.go", 7), at("order.go", 1), at("cart.go", 20)}}, nil
	}
	c := connected(t, f, wire.Hello{Project: f.projects[0].Root()}, nil)
	wantPart(t, string(c.tool("search_code", map[string]any{"query": "x"}).Structured),
		`"moreDeclarations":["cart.go:7-9 func a()","order.go:1-3 func a()","cart.go:20-22 func a()"]`, "text")
	if text := string(c.tool("search_code", map[string]any{"query": "x",
		"max_tokens": 100}).Structured); strings.Contains(text, "moreDeclarations") {
		t.Error(text)
	}
}
