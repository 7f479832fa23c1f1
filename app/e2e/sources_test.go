package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// list lists the tools.
func (e *editor) list() []mcp.Tool {
	e.t.Helper()
	list, err := e.c.ListTools(e.t.Context(), mcp.ListToolsRequest{})
	check(e.t, err)
	return list.Tools
}

func (e *editor) tools() (names []string) {
	e.t.Helper()
	for _, tool := range e.list() {
		names = append(names, tool.Name)
	}
	return names
}

// text calls a tool and returns its text and whether it is an error.
func (e *editor) text(tool string, args map[string]any) (string, bool) {
	e.t.Helper()
	res := e.call(tool, args, nil)
	return answerText(res), res.IsError
}

// wantText checks that the answer of a tool is no error and contains part.
func (e *editor) wantText(part, tool string, args map[string]any) {
	e.t.Helper()
	if text, failed := e.text(tool, args); failed || !strings.Contains(text, part) {
		e.t.Errorf("%s: no %q in %s", tool, part, text)
	}
}

// heard returns a function that returns the parameters of the notifications that the editor receives from now on.
func (e *editor) heard() func(mcp.MCPMethod) []map[string]any {
	var mu sync.Mutex
	heard := map[string][]map[string]any{}
	e.c.OnNotification(func(n mcp.JSONRPCNotification) {
		mu.Lock()
		heard[n.Method] = append(heard[n.Method], n.Params.AdditionalFields)
		mu.Unlock()
	})
	return func(m mcp.MCPMethod) []map[string]any { mu.Lock(); defer mu.Unlock(); return heard[string(m)] }
}

func (e *editor) notified(m mcp.MCPMethod) int { return len(e.notes(m)) }

// documents lists all pages of resources/list.
func (e *editor) documents() map[string]mcp.Resource {
	e.t.Helper()
	all, err := e.c.ListResources(e.t.Context(), mcp.ListResourcesRequest{})
	check(e.t, err)
	out := map[string]mcp.Resource{}
	for _, d := range all.Resources {
		if _, twice := out[d.URI]; twice {
			e.t.Errorf("%s is listed twice", d.URI)
		}
		out[d.URI] = d
	}
	return out
}

func (e *editor) read(uri string) (mcp.TextResourceContents, error) {
	r := mcp.ReadResourceRequest{}
	r.Params.URI = uri
	res, err := e.c.ReadResource(e.t.Context(), r)
	if err != nil || len(res.Contents) != 1 {
		return mcp.TextResourceContents{}, err
	}
	return res.Contents[0].(mcp.TextResourceContents), nil
}

// TestDocuments checks that a folder given to the bridge is served at once, under policy, page by page, in both
// versions of the protocol.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, handshake := range map[string]bool{"handshake": true, "stateless": false} {
		t.Run(name, func(t *testing.T) { documents(t, handshake) })
	}
}

func documents(t *testing.T, handshake bool) {
	w := newWorld(t)
	w.handshake = handshake
	dir := filepath.Join(w.home, "handbook")
	w.write(filepath.Join(dir, "README.md"), "# Project Overview\n\nThis project is a handbook.\n")
	w.write(filepath.Join(dir, "guides", "setup.md"),
		"# Setup Guide\n\n## Requirements\n\nThe installation steps are as follows.\n")
	w.write(filepath.Join(dir, "api", "reference.html"),
		"<title>API</title><script>bad()</script><h1>Calls</h1><p>Every <b>call</b>.</p>")
	w.write(filepath.Join(dir, "notes", "memo.txt"), "Memo\nmilk\n")
	w.write(filepath.Join(dir, "notes", "windows.txt"), "\ufeffMemo\r\nbread\x1b[1m\r\n")
	w.write(filepath.Join(dir, ".env"), "SECRET=1")
	w.write(filepath.Join(w.home, "secret.md"), "# secret")
	for i := range 450 { // three pages
		w.write(filepath.Join(dir, "many", fmt.Sprintf("d%03d", i), "README.md"), fmt.Sprintf("# Number %d\n", i))
	}
	e := w.connect(w.home, "--docs", dir)
	if !slices.Contains(e.tools(), "search_documents") {
		t.Fatal("no search_documents in", e.tools())
	}
	list := e.documents()
	if len(list) != 455 {
		t.Errorf("%d documents", len(list))
	}
	got := list["docs://README.md"]
	if got.Name != "README.md" || got.Title != "Project Overview" || got.Description != "This project is a handbook." ||
		got.MIMEType != "text/markdown" {
		t.Errorf("%+v", got)
	}
	if c, err := e.read("docs://guides/setup.md"); err != nil || c.URI != "docs://guides/setup.md" ||
		c.MIMEType != "text/markdown" ||
		!strings.HasPrefix(c.Text, "# Setup Guide\n\n## Requirements\n\n") {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := e.read("docs://api/reference.html"); err != nil || c.MIMEType != "text/markdown" ||
		c.Text != "# Calls\n\nEvery **call**." {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := e.read("docs://notes/windows.txt"); err != nil || c.Text != "\ufeffMemo\r\nbread\\x1b[1m\r\n" {
		t.Errorf("%q %v", c.Text, err)
	}
	for _, bad := range []string{"docs://../secret.md", "docs://%2e%2e/secret.md", "docs://..%2fsecret.md",
		"docs:///etc/passwd", "docs://.env",
		"docs://none.md", "file:///etc/passwd", "docs://guides/%2e%2e/%2e%2e/secret.md"} {
		if c, err := e.read(bad); err == nil || c.Text != "" {
			t.Errorf("%s was read: %+v", bad, c)
		}
	}
	text, _ := e.text("search_documents", map[string]any{"query": "installation", "limit": 1})
	form := regexp.MustCompile(
		`^Search results: 1 match\n\n1\. docs://guides/setup\.md - "Setup Guide" \(relevance: 0\.\d\d\)\n   Excerpt: .*installation steps are as follows.*\n   Match location: content$`)
	if !form.MatchString(text) {
		t.Errorf("%q", text)
	}
	w.mustCLI("settings", "set", "documents", "false")
	w.await("search_documents to go", func() bool { return !slices.Contains(e.tools(), "search_documents") })
	if n := len(e.documents()); n != 0 {
		t.Errorf("%d documents although they are switched off", n)
	}
}

const siteIndex = `{"version":"3.0","generated":"2025-01-15T12:00:00.000Z",
"site":{"name":"My Website","domain":"example.com","description":"A site about interesting topics","toolPrefix":"%s"},"pageCount":1,
"pages":[{"url":"/about","title":"About Us","abstract":"Learn about our team and mission.","date":"2025-01-01","topics":["about","team"],"body":"Full page content here..."}]}`

// TestSites builds, checks, adds and searches a site. Its tool appears and disappears with it.
func TestSites(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, "my.json"), fmt.Sprintf(siteIndex, "mysite"))
	w.write(filepath.Join(w.home, "docs.json"), fmt.Sprintf(siteIndex, "docs"))
	w.write(filepath.Join(w.home, "bad.json"), `{"version":"3.0"}`)
	e := w.connect(w.home)
	w.wantCLI(0, "tool search_mysite", "site", "add", "my.json")
	w.wantCLI(0, "search_docs is a tool of Search MCP itself, so the site's tool is search_docs_site.",
		"site", "add", "docs.json")
	w.write(filepath.Join(w.home, "again.json"), fmt.Sprintf(siteIndex, "mysite"))
	w.wantCLI(1, "already has the tool prefix 'mysite'", "site", "add", "again.json")
	w.wantCLI(1, "generated: is required", "site", "add", "bad.json")
	w.await("the tools", func() bool {
		names := e.tools()
		return slices.Contains(names, "search_mysite") && slices.Contains(names, "search_docs_site") &&
			slices.Contains(names, "search_docs")
	})
	var answer struct {
		Results []struct {
			URL, Title, Abstract, Date, Excerpt string
			Topics                              []string
			Score                               float64
		}
		TotalResults int
	}
	e.call("search_mysite", map[string]any{"query": "abuot tema"}, &answer)
	if len(answer.Results) != 1 || answer.TotalResults != 1 || answer.Results[0].URL != "https://example.com/about" ||
		answer.Results[0].Score <= 0 {
		t.Errorf("%+v", answer)
	}
	w.wantCLI(0, "Removed My Website", "site", "remove", "mysite")
	w.await("search_mysite to go", func() bool { return !slices.Contains(e.tools(), "search_mysite") })

	w.write(filepath.Join(w.home, "pages", "index.md"), "# Home\n\nWelcome.\n")
	w.write(filepath.Join(w.home, "pages", "posts", "bread.md"),
		"---\ntitle: Bread\ntags: [baking]\n---\nFlour and water.\n")
	w.mustCLI("site", "build", "pages", "--domain", "bread.example", "--prefix", "bread", "-o", "bread.json")
	w.mustCLI("site", "validate", "bread.json")
	w.mustCLI("site", "add", "bread.json")
	w.await("search_bread", func() bool { return slices.Contains(e.tools(), "search_bread") })
	e.call("search_bread", map[string]any{"query": "flour", "limit": 1}, &answer)
	if len(answer.Results) != 1 || answer.Results[0].URL != "https://bread.example/posts/bread" {
		t.Errorf("%+v", answer)
	}
	w.wantCLI(0, "posts/bread:Flour", "site", "search", "bread", "flour")
	if out := w.mustCLI("site", "refresh"); strings.Contains(out, "can't") {
		t.Error(out)
	}
	check(t, os.Remove(filepath.Join(w.home, "bread.json")))
	w.wantCLI(1, "bread", "site", "refresh")
}

// TestNamedIndexes runs every example and every error of the specification.
func TestNamedIndexes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.connect(w.home)
	for _, step := range []struct {
		tool string
		args string
		want string
		fail bool
	}{
		{"search_create_index", `{"index_name":"codebase_search","tokenizer_config":{"lowercase":true,"min_length":3}}`,
			`{"status":"created","index_name":"codebase_search","backend":"memory"}`, false},
		{"search_create_index", `{"index_name":"codebase_search"}`, `{"error":"Index already exists: codebase_search"}`,
			true},
		{"search_create_index", `{"index_name":"x","backend":"redis"}`, `{"error":"Unknown backend: redis"}`, true},
		{"search_add_document",
			`{"doc_id":"readme-rate-limiting","content":"Rate limiting protects APIs from abuse by throttling request frequency.","metadata":{"module":"rate_limiting","type":"readme"}}`,
			`{"status":"indexed","doc_id":"readme-rate-limiting","token_count":10}`, false},
		{"search_add_document",
			`{"doc_id":"doc-001","content":"Python rate limiting with token buckets","metadata":{"author":"Smith","year":2026}}`,
			`{"status":"indexed","doc_id":"doc-001","token_count":6}`, false},
		{"search_add_document",
			`{"doc_id":"doc-001","content":"Python rate limiting with token buckets","metadata":{"author":"Smith","year":2026}}`,
			`{"status":"re-indexed","doc_id":"doc-001","token_count":6}`, false},
		{"search_add_document", `{"doc_id":"x","content":" "}`, `{"error":"Content must be a non-empty string"}`, true},
		{"search_add_document", `{"doc_id":"x"}`, `{"error":"Content must be a non-empty string"}`, true},
		{"search_add_document", `{"doc_id":"x","content":"text","index_name":"none"}`,
			`{"error":"Index not found: none"}`, true},
		{"search_index", `{"query":"rate limiting API","k":3,"index_name":"documentation"}`,
			`{"error":"Index not found: documentation"}`, true},
		{"search_index", `{"query":""}`, `{"results":[],"total_matches":0}`, false},
		{"search_create_index", `{"index_name":"x","backend":""}`, `{"error":"Unknown backend: "}`, true},
		{"search_create_index", `{"index_name":"six","tokenizer_config":{"min_length":6}}`,
			`{"status":"created","index_name":"six","backend":"memory"}`, false},
		{"search_add_document", `{"doc_id":"a","content":"the cat sat on its blanket","index_name":"six"}`,
			`{"status":"indexed","doc_id":"a","token_count":1}`, false},
		{"search_index", `{"query":"+cat","index_name":"six"}`, `{"results":[],"total_matches":0,` +
			`"query_parsed":{"terms":[],"must":[],"must_not":[],"phrases":[]}}`, false},
		{"search_index", `{"query":"C"}`, `{"results":[],"total_matches":0,` +
			`"query_parsed":{"terms":["c"],"must":[],"must_not":[],"phrases":[]}}`, false},
		// ln(1+2/1) for each of the two terms in one of two documents: 2 · 1.0986.
		{"search_index", `{"query":"+python \"token buckets\" -abuse"}`,
			`{"results":[{"doc_id":"doc-001","score":3.4693,"highlights":["Python rate limiting with token buckets"],"metadata":{"author":"Smith","year":2026}}],` +
				`"total_matches":1,"query_parsed":{"terms":[],"must":["python"],"must_not":["abuse"],"phrases":["token buckets"]}}`,
			false},
	} {
		var args map[string]any
		check(t, json.Unmarshal([]byte(step.args), &args))
		if got, failed := e.text(step.tool, args); got != step.want || failed != step.fail {
			t.Errorf("%s %s:\n%s (error %v)\nwant\n%s", step.tool, step.args, got, failed, step.want)
		}
	}
}

// TestArchives imports an archive, searches with citations, and gets errors for a file that is not a database.
func TestArchives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	notes := filepath.Join(w.home, "research-archive")
	w.write(filepath.Join(notes, "2025-05-20", "machine_learning_intro.md"), "# Introduction to Machine Learning\n\n"+
		"Machine learning is a subset of artificial intelligence. For more information on ML algorithms, see [this "+
		"resource](https://example.com/ml-algorithms).\n")
	w.write(filepath.Join(notes, "pages", "ml.html"),
		"<!-- saved from url=(0033)https://example.com/ml-algorithms -->\n"+
			"<title>Machine Learning Algorithms</title><p>Trees.</p>")
	e := w.connect(w.home)
	if slices.Contains(e.tools(), "searchLocalArchives") {
		t.Error("searchLocalArchives without an archive")
	}
	w.wantCLI(1, "archive import", "archive", "search", "learning")
	w.write(filepath.Join(w.home, "page.html"), "<p>x")
	w.wantCLI(2, "a folder", "archive", "import", "page.html")
	w.mustCLI("archive", "import", "research-archive")
	w.wantCLI(0, "2 documents in the archive: 0 added, 0 updated, 2 unchanged, 0 removed.",
		"archive", "import", "research-archive")
	w.await("searchLocalArchives", func() bool { return slices.Contains(e.tools(), "searchLocalArchives") })
	text, failed := e.text("searchLocalArchives", map[string]any{"query": "artificial inteligence", "fuzzy": true,
		"includeCitations": true, "limit": 5})
	form := regexp.MustCompile(
		`^\{"results":\[\{"document":\{"id":"(doc-[0-9a-f]+)","title":"Introduction to Machine Learning",` +
			`"path":"research-archive/2025-05-20/machine_learning_intro.md","source":"research","date":"2025-05-20","score":[0-9.]+,"file":"[^"]+machine_learning_intro.md"\},` +
			`"highlights":\[\{"field":"content","snippets":\[".*<mark>artificial intelligence</mark>.*"\]\}\],` +
			`"citations":\{"citing":\[\{"sourceId":"doc-[0-9a-f]+","targetId":"doc-[0-9a-f]+","targetUrl":"https://example.com/ml-algorithms",` +
			`"context":"For more information on ML algorithms, see \[this resource\]\(https://example.com/ml-algorithms\).","confidence":1,"targetTitle":"Machine Learning Algorithms"\}\],"cited":\[\]\}\}\],` +
			`"citationGraph":\{"nodes":\[\{"id":"doc-[0-9a-f]+","label":"Introduction to Machine Learning","type":"source"\},` +
			`\{"id":"doc-[0-9a-f]+","label":"Machine Learning Algorithms","type":"target"\}\],` +
			`"edges":\[\{"from":"doc-[0-9a-f]+","to":"doc-[0-9a-f]+","confidence":1\}\]\},` +
			`"metadata":\{"totalResults":1,"query":"artificial inteligence","fuzzy":true,"includeCitations":true,"citationDepth":1,"limit":5\}\}$`)
	if failed || !form.MatchString(text) {
		t.Error(text)
	}
	if text, failed := e.text("searchLocalArchives", map[string]any{"query": "inteligence", "fuzzy": false}); failed ||
		text != `{"results":[],"metadata":{"totalResults":0,"query":"inteligence","fuzzy":false,"includeCitations":false,"citationDepth":1,"limit":10}}` {
		t.Error(text)
	}
	if text, failed := e.text("searchLocalArchives", map[string]any{"query": "x", "citationDepth": 4}); !failed ||
		!strings.HasPrefix(text, "Failed to search local archives: ") {
		t.Error(text)
	}

	w.write(filepath.Join(w.home, "other.db"), strings.Repeat("no database ", 100))
	w.env = append(w.env, "SEARCH_DB_PATH="+filepath.Join(w.home, "other.db"))
	other := w.connect(w.home)
	if text, failed := other.text("searchLocalArchives", map[string]any{"query": "x"}); !failed ||
		!strings.HasPrefix(text, "Failed to search local archives: the file is not an archive of Search MCP") {
		t.Error(text)
	}
}

// TestDocumentsOfOtherFormats checks that the list and answers name the documents that can't be served.
func TestDocumentsOfOtherFormats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := filepath.Join(w.home, "notes")
	w.write(filepath.Join(dir, "a.md"), "# The quokka\n\nIt rests.\n")
	names := []string{"q.pdf", "x.markdown", "y.htm", "z.rst"}
	for _, name := range names {
		w.write(filepath.Join(dir, name), "The quokka.\n")
	}
	w.write(filepath.Join(dir, "code.go"), "package code\n")
	text, _ := w.connect(dir, "--docs").text("search_documents",
		map[string]any{"query": "quokka", "fileTypes": []string{".MD", ".PDF"}})
	if !strings.HasPrefix(text, "Search results: 1 match\n\n1. docs://a.md") || strings.Contains(text, "code.go") ||
		!strings.Contains(text, "Not searched: q.pdf (it is not text), x.markdown (it has another format than .md") ||
		!strings.Contains(text, ", and 1 more\n\nNo document has the file type .pdf: documents are .md, .html and") {
		t.Error(text)
	}
	out := w.mustCLI("documents", "list", "--docs", "~/notes", "--verbose")
	for _, name := range names {
		if !strings.Contains(out, name) {
			t.Errorf("%s is not in\n%s", name, out)
		}
	}
}
