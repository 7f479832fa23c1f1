package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// outputs contains the compiled output schemas in tools/list by tool.
var outputs sync.Map

// checkAnswer validates an answer against its tool's output schema, which must contain each field. It ignores errors.
func (e *editor) checkAnswer(tool string, res *mcp.CallToolResult) {
	e.t.Helper()
	if res.IsError || res.StructuredContent == nil {
		return
	}
	if _, known := outputs.Load(tool); !known {
		for _, one := range e.list() {
			if one.OutputSchema.Type == "" {
				continue // a text answer
			}
			c := jsonschema.NewCompiler()
			schema := closed(must(jsonschema.UnmarshalJSON(bytes.NewReader(must(json.Marshal(one.OutputSchema))))))
			check(e.t, c.AddResource("schema.json", schema))
			outputs.Store(one.Name, must(c.Compile("schema.json")))
		}
	}
	schema, known := outputs.Load(tool)
	if !known {
		return // the tool was removed with its source
	}
	text := must(json.Marshal(res.StructuredContent))
	value := must(jsonschema.UnmarshalJSON(bytes.NewReader(text)))
	if err := schema.(*jsonschema.Schema).Validate(value); err != nil {
		e.t.Errorf("%s: %v\n%s", tool, err, text)
	}
}

// closed returns a schema that refuses undeclared fields.
func closed(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		if s["properties"] != nil {
			s["additionalProperties"] = false
		}
		for name, inner := range s {
			if name != "anyOf" { // the branches of anyOf only list required fields
				closed(inner)
			}
		}
	case []any:
		for _, inner := range s {
			closed(inner)
		}
	}
	return schema
}

// TestAnswersFitTheirSchemas calls every tool with the most fields and checks that the answer has only declared fields.
func TestAnswersFitTheirSchemas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(authFiles)
	w.write(filepath.Join(root, "deep", strings.Repeat("d/", 21), "x.go"), "package x\n")
	w.write(filepath.Join(root, ".env"), "A=1\n")
	w.write(filepath.Join(root, "note.pdf"), "%PDF-")
	w.write(filepath.Join(w.home, "notes", "a.md"),
		"# The quokka\n\nIt rests, see [the wombat](b.md) and [more](https://example.com).\n")
	w.write(filepath.Join(w.home, "notes", "b.md"), "# The wombat\n\nIt digs.\n")
	w.mustCLI("archive", "import", "notes")
	w.write(filepath.Join(w.home, "my.json"), fmt.Sprintf(siteIndex, "mysite"))
	w.mustCLI("site", "add", "my.json")
	e := w.connect(root)
	called := map[string]bool{}
	step := func(tool string, args map[string]any) string {
		t.Helper()
		called[tool] = true
		text, failed := e.text(tool, args)
		if failed {
			t.Errorf("%s: %s", tool, text)
		}
		return text
	}
	e.answerWith(mcp.ElicitationResponseActionDecline)
	step("create_index", nil)
	e.answerWith(mcp.ElicitationResponseActionAccept)
	created, status := step("create_index", nil), step("get_index_status", nil)
	for _, name := range []string{`"skipped":[`, `"examples":[`} {
		if !strings.Contains(created, name) || !strings.Contains(status, name) {
			t.Errorf("%s is in one alone: %s\n%s", name, created, status)
		}
	}
	if !strings.Contains(status, `"lastFullIndex":"`) {
		t.Error(status)
	}
	for _, args := range []map[string]any{{"query": "login"}, {"query": "login", "detail": "full"},
		{"query": "zebra quilt"}, {"query": "login", "max_tokens": 100}} {
		step("search_code", args)
	}
	step("search_docs", map[string]any{"query": "authentication"})
	step("search_documents", map[string]any{"query": "authentication"})
	for _, pattern := range []string{"**/*.ts", "nothing.ts"} {
		step("search_by_path", map[string]any{"pattern": pattern})
	}
	step("grep_code", map[string]any{"pattern": "login"})
	step("find_symbol", map[string]any{"name": "login", "uses": true})
	for _, path := range []string{"", "src", "src/auth/login.ts"} {
		step("outline", map[string]any{"path": path})
	}
	step("list_projects", nil)
	step("reindex_file", map[string]any{"path": "package.json", "unknown": 1})
	step("search_create_index", map[string]any{"index_name": "own"})
	for range 2 {
		step("search_add_document",
			map[string]any{"doc_id": "1", "content": "The cat sat.", "metadata": map[string]any{"a": 1}})
	}
	for _, query := range []string{"+cat -dog \"cat sat\"", "", "zebra"} {
		step("search_index", map[string]any{"query": query})
	}
	for _, with := range []bool{true, false} {
		step("searchLocalArchives", map[string]any{"query": "rests", "includeCitations": with, "limit": 1})
	}
	step("search_mysite", map[string]any{"query": "home"})
	step("reindex_project", nil)
	step("delete_index", nil)
	for _, tool := range e.tools() {
		if !called[tool] {
			t.Errorf("%s was not called", tool)
		}
	}
}

// authFiles contains the files of the RFC's examples.
var authFiles = map[string]string{
	"package.json": "{\"name\": \"shop\"}\n",
	"src/auth/login.ts": "import { db } from '../db';\n\n// login checks a password.\n" +
		"export async function login(email: string, password: string) {\n" +
		"  const user = await db.find(email);\n  return user.matches(password);\n}\n",
	"src/auth/logout.ts":     "export function logout(session: string) {\n  sessions.delete(session);\n}\n",
	"src/auth/middleware.ts": "export function guard(next: Handler) {\n  return next;\n}\n",
	"docs/authentication.md": "# Guide\n\nWelcome.\n\n## Authentication\n\nThe authentication system uses JWT tokens.\n",
}

// TestRFCExamplesFieldForField calls every tool of RFC 4 with the real engine and compares the answers with the RFC's:
// name, order and form of the fields, and constant values.
func TestRFCExamplesFieldForField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(authFiles)
	e := w.connect(root)
	path := regexp.QuoteMeta(string(must(json.Marshal(root))))
	const stamp, seconds = `"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"`, `"\d+s"`
	step := func(tool string, args map[string]any, form string) {
		t.Helper()
		if text, failed := e.text(tool, args); failed || !regexp.MustCompile(`^\{`+form).MatchString(text) {
			t.Errorf("%s gives\n%s\nwant\n%s", tool, text, form)
		}
	}
	step("create_index", nil, `"status":"success","projectPath":`+path+
		`,"filesIndexed":5,"chunksCreated":\d+,"duration":`+seconds+`[,}]`)
	var config bytes.Buffer
	check(t, json.Compact(&config, must(os.ReadFile(w.indexFile("config.json")))))
	if want := `"include":["**/*"],"exclude":[],"respectGitignore":true,"maxFileSize":"1MB","maxFiles":50000,` +
		`"docPatterns":["**/*.md","**/*.txt"],"indexDocs":true,"enhancedToolDescriptions":false,` +
		`"indexingStrategy":"realtime","lazyIdleThreshold":30,`; !strings.Contains(config.String(), want) {
		t.Error(config.String())
	}
	step("search_code", map[string]any{"query": "check the password of a login", "top_k": 1},
		`"results":\[\{"path":"src/auth/login.ts","text":".*login\(email.*","score":(0\.\d+|1),"startLine":\d,"endLine":\d\}\],`+
			`"totalResults":\d+,"searchTimeMs":\d+[,}]`)
	step("search_docs", map[string]any{"query": "how does authentication work"},
		`"results":\[\{"path":"docs/authentication.md","text":"## Authentication\\n\\nThe authentication system uses JWT tokens.",`+
			`"score":(0\.\d+|1),"startLine":5,"endLine":7[,}].*\],"totalResults":\d+,"searchTimeMs":\d+[,}]`)
	step("search_by_path", map[string]any{"pattern": "src/**/*.ts"},
		`"matches":\["src/auth/login.ts","src/auth/logout.ts","src/auth/middleware.ts"\],"totalMatches":3[,}]`)
	step("get_index_status", nil,
		`"status":"ready","projectPath":`+path+`,"totalFiles":5,"totalChunks":\d+,"lastUpdated":`+
			stamp+`,"storageSize":"\d+[KM]B","watcherActive":true[,}]`)
	step("reindex_file", map[string]any{"path": "src/auth/login.ts"}, `"status":"success","path":"src/auth/login.ts",`+
		`"chunksCreated":\d+,"message":"File re-indexed successfully"[,}]`)

	step("reindex_project", nil, `"status":"success","filesIndexed":5,"chunksCreated":\d+,"duration":`+seconds+
		`,"message":"Index rebuilt successfully"[,}]`)
	step("delete_index", nil, `"status":"success","projectPath":`+path+`,"message":"Index deleted successfully"[,}]`)
	if left, err := filepath.Glob(filepath.Join(w.data, "indexes", "*")); err != nil || len(left) != 0 {
		t.Errorf("after the deletion: %v %v", left, err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestFilesOfAnIndex checks names, formats and permissions of the files of RFC 3.
func TestFilesOfAnIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(authFiles)
	w.mustCLI("index", root, "--yes")
	w.mustCLI("reindex", filepath.Join(root, "package.json"))
	w.stop()
	real := must(filepath.EvalSymlinks(root))
	sum := sha256.Sum256([]byte(real))
	dir := filepath.Join(w.data, "indexes", hex.EncodeToString(sum[:16]))
	for _, name := range []string{"index.lancedb/project_docs.lance", "docs.lancedb/project_docs_prose.lance",
		"config.json", "logs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if runtime.GOOS != "windows" {
		check(t, filepath.WalkDir(w.data, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err == nil &&
				(d.IsDir() || d.Type().IsRegular()) && info.Mode().Perm() != want {
				t.Errorf("%s: %v, want %v", path, info.Mode().Perm(), want)
			}
			return err
		}))
	}
	read := func(name string, into any) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			err = d.Decode(into)
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	var code, docs map[string]string
	read("fingerprints.json", &code)
	read("docs-fingerprints.json", &docs)
	if len(code) != 4 || len(docs) != 1 {
		t.Errorf("%v, %v", code, docs)
	}
	for _, prints := range []map[string]string{code, docs} {
		for name, got := range prints {
			if want := sha256.Sum256([]byte(authFiles[name])); got != hex.EncodeToString(want[:]) {
				t.Errorf("%s: fingerprint %s, want %x", name, got, want)
			}
		}
	}
	var meta struct {
		Version, ProjectPath                                           string
		CreatedAt, LastFullIndex, LastIncrementalUpdate, LastDocsIndex time.Time
		Stats                                                          struct{ TotalFiles, TotalChunks, StorageSizeBytes int }
		DocsStats                                                      struct {
			TotalDocs, TotalDocChunks,
			DocsStorageSizeBytes int
		}
	}
	docSize := 0
	for name, data := range w.dataFiles() {
		if strings.HasPrefix(name, filepath.Join(dir, "docs")) {
			docSize += len(data)
		}
	}
	text := must(os.ReadFile(filepath.Join(dir, "metadata.json")))
	if err := json.Unmarshal(text, &meta); err != nil || meta.Version != "1.0.0" || meta.ProjectPath != real ||
		meta.Stats.TotalFiles != 5 || meta.Stats.TotalChunks < 5 || meta.Stats.StorageSizeBytes == 0 ||
		meta.DocsStats.TotalDocs != 1 || meta.DocsStats.TotalDocChunks == 0 ||
		max(meta.DocsStats.DocsStorageSizeBytes-docSize, docSize-meta.DocsStats.DocsStorageSizeBytes) > 4<<10 ||
		meta.CreatedAt.IsZero() || meta.LastFullIndex.IsZero() || meta.LastIncrementalUpdate.IsZero() ||
		meta.LastDocsIndex.IsZero() {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestResultsAreLinesOfTheirFiles checks that a result's text is in its file between the reported lines. With detail
// full it is the whole declaration. In a file of one long line it is the matching part. An answer has at most as many
// characters as allowed, and reports that it was cut.
func TestResultsAreLinesOfTheirFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container", "text/tabwriter", "encoding/csv")
	w.write(filepath.Join(root, "page.min.js"), strings.Repeat("var filler=function(a,b){return a*b};", 3000)+
		"function zwiebelfisch(letter){return letter.wrong}"+strings.Repeat("var more=function(a,b){return a/b};", 3000))
	e := w.indexed(root)
	gap := regexp.MustCompile(`^\s*…`)
	compared := 0
	for _, query := range []string{"push an element onto the heap", "insert a list after another one", "Len",
		"width of a column of tabs", "move to front", "flush the writer"} {
		for _, detail := range []string{"", "full"} {
			args := map[string]any{"query": query, "top_k": 20}
			if detail != "" {
				args["detail"] = detail
			}
			var h hits
			e.call("search_code", args, &h)
			if len(h.Results) < 2 {
				t.Fatalf("%s: %d results", query, len(h.Results))
			}
			for _, r := range h.Results {
				text := must(os.ReadFile(filepath.Join(root, filepath.FromSlash(r.Path))))
				file := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
				if r.StartLine < 1 || r.EndLine < r.StartLine || r.EndLine > len(file) {
					t.Errorf("%s: %s:%d-%d of %d", query, r.Path, r.StartLine, r.EndLine, len(file))
					continue
				}
				left := file[r.StartLine-1 : r.EndLine]
				for line := range strings.Lines(r.Text) {
					if line = strings.TrimRight(line, "\n"); gap.MatchString(line) || strings.HasSuffix(line, "…") {
						continue
					}
					// A signature is shown without preceding lines and its brace.
					at := slices.IndexFunc(left, func(l string) bool {
						return strings.HasPrefix(strings.TrimSpace(l), strings.TrimSpace(line))
					})
					if at < 0 {
						t.Errorf("%s: %s:%d-%d has no line %q, or not in this order", query, r.Path, r.StartLine, r.EndLine, line)
						break
					}
					left = left[at+1:]
					compared++
				}
			}
		}
	}
	if compared < 300 {
		t.Errorf("%d lines compared", compared)
	}
	var h hits
	e.call("search_code", map[string]any{"query": "zwiebelfisch"}, &h)
	if len(h.Results) == 0 || h.Results[0].Path != "page.min.js" || h.Results[0].StartLine != 1 ||
		h.Results[0].EndLine != 1 || !strings.Contains(h.Results[0].Text, "function zwiebelfisch(") ||
		len(h.Results[0].Text) > 1000 {
		t.Errorf("of a file of one line: %d characters, shown %v: %+v", len(h.Results[0].Text),
			strings.Contains(h.Results[0].Text, "function zwiebelfisch(letter)"), h)
	}
	for limit, args := range map[int]map[string]any{40_000: {}, 8000: {"max_tokens": 2000}} {
		args["query"], args["top_k"], args["detail"] = "test read write", 50, "full"
		if text, _ := e.text("search_code", args); utf8.RuneCountInString(text) > limit ||
			!strings.Contains(text, `"truncated":true`) {
			t.Errorf("%d characters of at most %d: %.300s", utf8.RuneCountInString(text), limit, text)
		}
	}
}

// TestNumberOfResults checks that code, documentation and sites return the requested number of results, best first, and
// that no result scores 0.
func TestNumberOfResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := map[string]string{"go.mod": "module shop\n"}
	var pages []string
	for i := range 60 {
		files[fmt.Sprintf("order%02d.go", i)] = fmt.Sprintf("package shop\n\n// Total%d adds up order number %d.\n"+
			"func Total%d(prices []int) (sum int) {\n\tfor _, p := range prices {\n\t\tsum += p * %d\n\t}\n\treturn sum\n}\n",
			i, i, i, i)
		files[fmt.Sprintf("docs/order%02d.md", i)] = fmt.Sprintf("# Order %d\n\nHow order %d is added up.\n", i, i)
		pages = append(pages, fmt.Sprintf(`{"url":"/order/%d","title":"Order %d","abstract":"%s","body":"An order."}`,
			i, i, strings.Repeat("How an order is added up. ", 40)))
	}
	root := w.folder(files)
	w.write(filepath.Join(w.home, "orders.json"), fmt.Sprintf(`{"version":"3.0","generated":"2025-01-15T12:00:00.000Z",`+
		`"site":{"name":"Orders","domain":"example.com","toolPrefix":"orders"},"pageCount":%d,"pages":[%s]}`,
		len(pages), strings.Join(pages, ",")))
	w.mustCLI("site", "add", "orders.json")
	e := w.indexed(root)
	for _, n := range []int{1, 7, 10, 50} {
		for tool, key := range map[string]string{"search_code": "top_k", "search_docs": "top_k", "search_orders": "limit"} {
			var h hits
			if e.call(tool, map[string]any{"query": "order added up", key: n}, &h); len(h.Results) != n || h.TotalResults < n {
				t.Errorf("%s: %d results of %d, want %d", tool, len(h.Results), h.TotalResults, n)
			}
			for i, r := range h.Results {
				if r.Score < 0.01 || r.Score > 1 || i > 0 && r.Score > h.Results[i-1].Score {
					t.Errorf("%s: score %v in place %d", tool, r.Score, i+1)
				}
			}
		}
	}
}

// TestCutFileIsNamed checks that a file of more than 1000 chunks is indexed in part, which answers report.
func TestCutFileIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("nothing of interest in this line, nor in the next one\n", 120_000) // one vector for all lines
	root := w.folder(map[string]string{"go.mod": "module long\n", "long.unknown": long})
	w.write(filepath.Join(w.data, "config.json"), `{"maxFileSize": "20MB"}`)
	e := w.connect(root)
	for _, tool := range []string{"create_index", "get_index_status", "reindex_file"} {
		e.wantText("more than 1000 chunks", tool, map[string]any{"path": "long.unknown"})
	}
	w.wantCLI(0, "long.unknown", "status", "--project", root)
}
