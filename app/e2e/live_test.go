package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func (e *editor) description(tool string) string {
	e.t.Helper()
	for _, t := range e.list() {
		if t.Name == tool {
			return t.Description
		}
	}
	e.t.Fatalf("no %s", tool)
	return ""
}

// configure writes the configuration of the only project.
func (w *world) configure(text string) {
	w.t.Helper()
	w.write(w.indexFile("config.json"), text)
}

// checkReviewed compares the listed tools with those of the endpoint's golden file.
func (e *editor) checkReviewed(file string) {
	e.t.Helper()
	reviewed := must(os.ReadFile(filepath.Join("..", "endpoint", "testdata", file)))
	list := e.list()
	if len(list) < 15 {
		e.t.Fatal(len(list))
	}
	want := map[string]string{}
	for line := range strings.Lines(string(reviewed)) {
		var t mcp.Tool
		decode(e.t, line, &t)
		want[t.Name] = string(must(json.Marshal(t)))
	}
	for _, t := range list {
		if got := string(must(json.Marshal(t))); got != want[t.Name] {
			e.t.Errorf("%s: the program lists\n%s\nwant\n%s", file, got, want[t.Name])
		}
	}
}

// TestDescriptionsChangeLive checks that enabling enhancedToolDescriptions reaches a connected editor (RFC 4.8), that
// the hints follow word for word, and that the tools equal those of the golden files.
func TestDescriptionsChangeLive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container/ring")
	e := w.indexed(root)
	for _, enhanced := range []bool{true, false} {
		before := e.notified(mcp.MethodNotificationToolsListChanged)
		w.configure(map[bool]string{true: `{"enhancedToolDescriptions": true}`, false: `{}`}[enhanced])
		w.await("tools/list_changed", func() bool { return e.notified(mcp.MethodNotificationToolsListChanged) > before })
		for tool, hint := range map[string]string{
			"search_code": " **TIP:** Prefer this over reading full files when looking for specific functions, patterns, or " +
				"implementations.",
			"search_docs": " **TIP:** For follow-up questions about a doc already in context, use this tool instead of " +
				"re-reading the entire file - more precise results, less context usage.",
		} {
			if now := e.description(tool); strings.HasSuffix(now, hint) != enhanced || strings.Contains(now, "TIP") != enhanced {
				t.Errorf("enhanced %v: %q", enhanced, now)
			}
		}
		e.checkReviewed(map[bool]string{true: "tools-enhanced.jsonl", false: "tools.jsonl"}[enhanced])
	}
}

// TestNoNeedlessListChanged checks that a client that has just listed the tools gets no notification for each kind of
// source.
func TestNoNeedlessListChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container/ring")
	w.write(filepath.Join(root, "README.md"), "# Shelf\n")
	w.mustCLI("index", root, "--yes")
	for _, running := range []bool{true, false} {
		if !running {
			w.stop()
		}
		e := w.connect(root)
		e.tools()
		e.call("search_code", map[string]any{"query": "ring"}, nil)
		e.call("get_index_status", nil, nil)
		most := 1 // one notification when the started app has opened its sources
		if running {
			most = 0
		}
		if n := e.notified(mcp.MethodNotificationToolsListChanged); n > most {
			t.Errorf("app running before: %v: %d notifications", running, n)
		}
	}
}

// startWithoutModel starts the app with an empty model folder, which later programs use too.
func (w *world) startWithoutModel() {
	w.t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		w.t.Skip("hiding the model from the programs needs root on Linux")
	}
	hide := exec.Command("unshare", "-m", "sh", "-c", `mount -t tmpfs none "$0" && exec "$1" projects`,
		filepath.Join(top, "assets", "model"), filepath.Join(w.bin, "search-mcp"))
	hide.Env, hide.Dir = w.env, w.home
	if out, err := hide.CombinedOutput(); err != nil {
		w.t.Skipf("mount namespaces are refused: %v %s", err, out)
	}
}

// TestModelIsMissing checks that indexing works without a model and without a way to get one. The creating call, the
// status, each search and doctor report the missing model with the code of RFC 6.2 and correct advice.
func TestModelIsMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fresh = true
	w.startWithoutModel()
	e := w.connect(w.copyGo("shelf", "container/ring"))
	const user = "The model for search by meaning is missing or damaged; search by words works."
	reported := func(text string) bool {
		return strings.Contains(text, user) && strings.Contains(text, "MODEL_DOWNLOAD_FAILED: ")
	}
	var created struct {
		Status string
		Notes  []string
	}
	if e.call("create_index", nil, &created); created.Status != "success" || !reported(strings.Join(created.Notes, " ")) {
		t.Errorf("create_index: %+v", created)
	}
	var status struct {
		Status  string
		Problem struct{ Code, UserMessage, DeveloperMessage string }
	}
	if e.call("get_index_status", nil, &status); status.Status != "degraded" ||
		status.Problem.Code != "MODEL_DOWNLOAD_FAILED" ||
		status.Problem.UserMessage != user || !strings.HasPrefix(status.Problem.DeveloperMessage, "MODEL_DOWNLOAD_FAILED: ") {
		t.Errorf("get_index_status: %+v", status)
	}
	text, _ := e.text("search_code", map[string]any{"query": "element of a ring"})
	if !strings.Contains(text, `"path":"container/ring/`) || !strings.Contains(text, user) {
		t.Errorf("by words: %s", text)
	}
	w.wantCLI(1, "The model for search by meaning is missing", "doctor")
}

// TestTerminalPromises runs commands that a user is likely to try at the terminal.
func TestTerminalPromises(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container/ring")
	w.write(filepath.Join(w.home, "emp\u200bty", "yarn.lock"), "")
	w.write(filepath.Join(w.home, "notes", "a.md"), "# The quokka\n\nIt rests, see [the wombat](b.md).\n")
	w.write(filepath.Join(w.home, "notes", "b.md"), "# The wombat\n\nIt digs.\n")
	file := filepath.Join(root, "container", "ring", "ring.go")
	web := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(out, siteIndex, "mysite") // the client may be gone
	}))
	defer web.Close()
	w.mustCLI("index", root, "--yes")
	other := w.folder(map[string]string{"go.mod": "module other\n", "shelf/same.go": "package shelf\n"})
	w.write(filepath.Join(root, "same.go"), "package shelf\n")
	w.mustCLI("index", other, "--yes")
	for _, step := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"reindex", file}, 0, "Read again"},
		{[]string{"__complete", "reind"}, 0, "reindex"},
		{[]string{"__complete", "search", "--top"}, 0, "--top-k"},
		{[]string{"__complete", "search", "--project", ""}, 0, "shelf"},
		{[]string{"reindex", filepath.Join("shelf", "container", "ring", "ring.go")}, 0, "Read again"},
		{[]string{"reindex", filepath.Join(other, "shelf", "same.go")}, 0, "Read again shelf/same.go"},
		{[]string{"reindex", filepath.Join("shelf", "same.go"), "--project", other}, 0, "Read again shelf/same.go"},
		{[]string{"reindex", file, "--project", other}, 1, "doesn't exist or isn't indexed"},
		{[]string{"root", "add", file, "--name", "x", "--project", root}, 1, "is not a folder"},
		{[]string{"index", "nowhere", "--yes"}, 1, `No project "nowhere"`},
		{[]string{"search", "ring", "--project", "/nowhere"}, 1, `No project "/nowhere"`},
		{[]string{"grep", "(", "--project", root}, 2, "missing closing )"},
		{[]string{"documents", "add", file}, 1, "is not a folder"},
		{[]string{"named", "search", "none", "x"}, 1, "Index not found: none.\n"},
		{[]string{"settings", "get", "nothing"}, 2, "There is no setting 'nothing'"},
		{[]string{"search", "ring", "--top-k", "0", "--project", root}, 2, "from 1 to 50"},
		{[]string{"index", "emp\u200bty", "--yes"}, 0, "is empty"},
		{[]string{"status", "--project", "emp\u200bty"}, 0, "Ready"},
		{[]string{"documents", "list", "--docs", "nowhere"}, 1, "There is no folder"},
		{[]string{"search", "ring", "--project", ""}, 2, "--project is empty"},
		{[]string{"pause", ""}, 2, "the argument is empty"},
		{[]string{"documents", "add", ""}, 2, "the argument is empty"},
		{[]string{"search", "how does the", "--project", root}, 1, "The query has only common words."},
		{[]string{"archive", "import", "notes"}, 0, "2 documents"},
		{[]string{"archive", "search", "digs", "--citations"}, 0, "← The quokka"},
		{[]string{"archive", "search", "it", "--limit", "1"}, 0, "--offset 1"},
		{[]string{"site", "build", "notes", "--out", filepath.Join("nowhere", "x.json")}, 2, "There is no folder"},
		{[]string{"site", "validate", web.URL + "/search-index.json"}, 0, "is valid"},
	} {
		if out, code := w.cli(step.args...); code != step.code || !strings.Contains(out, step.want) {
			t.Errorf("%v: exit %d, %q", step.args, code, out)
		}
	}
}
