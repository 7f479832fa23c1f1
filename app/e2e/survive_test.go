package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestKilledWhileIndexing kills the app at random moments of a first indexing, lets the next command restart it, and
// compares the final index with an uninterrupted one.
func TestKilledWhileIndexing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fresh = true
	root := w.copyGo("shelf", "container", "encoding/csv", "text/tabwriter", "sort", "strconv", "path", "mime")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); w.cli("index", root, "--yes") }() // its connection breaks when the app is killed
	w.await("the app to start", w.running)
	// killed earlier, no work can be resumed
	w.await("the project to be there", func() bool { return w.state(root) != "" })
	kills := 0
	for range 4 {
		delay := time.NewTimer(time.Duration(20+random.IntN(900)) * time.Millisecond)
		<-delay.C
		if w.running() {
			if kill(w.pid()) == nil {
				kills++
			}
			w.await("the killed app to be gone", func() bool { return !w.running() })
		}
		w.mustCLI("search", "anything", "--project", root, "--json", "--top-k", "1") // restarts it; the partial index answers
	}
	wg.Wait()
	if kills == 0 {
		t.Fatal("the app was never killed")
	}
	w.await("the interrupted indexing to be complete", func() bool { return w.state(root) == "ready" })
	if out := w.mustCLI("doctor", "--project", root); !strings.Contains(out, "agree") {
		t.Errorf("doctor after %d kills:\n%s", kills, out)
	}

	calm := newWorld(t)
	other := calm.copyGo("shelf", "container", "encoding/csv", "text/tabwriter", "sort", "strconv", "path", "mime")
	calm.mustCLI("index", other, "--yes")
	if got, want := w.figures(root), calm.figures(other); got != want {
		t.Errorf("after %d kills: %s; without: %s", kills, got, want)
	}
	for _, q := range []string{"line up columns", "ParseFloat", "smallest element first"} {
		told := ""
		// On a busy machine the first answers may use words only.
		w.await("the same answer with and without the kills", func() bool {
			got, want := w.results(root, q), calm.results(other, q)
			if got != want && got+want != told {
				told = got + want
				t.Logf("%q after the kills:\n%s\nwithout:\n%s", q, got, want)
			}
			return got == want
		})
	}
}

type project struct {
	State                                     string
	Roots                                     []struct{ Path string }
	Files, Chunks, Vectors, DocFiles, Pending int
}

func (w *world) project(root string) project {
	w.t.Helper()
	var list []project
	if err := json.Unmarshal([]byte(w.mustCLI("projects", "--json")), &list); err != nil {
		w.t.Fatal(err)
	}
	for _, p := range list {
		if p.Roots[0].Path == root {
			return p
		}
	}
	return project{}
}

func (w *world) state(root string) string { return w.project(root).State }

func (w *world) figures(root string) string {
	p := w.project(root)
	return fmt.Sprintf("%d files, %d chunks, %d vectors, %d documents", p.Files, p.Chunks, p.Vectors, p.DocFiles)
}

func (w *world) results(root, query string) string {
	w.t.Helper()
	var h hits
	if err := json.Unmarshal([]byte(w.mustCLI("search", query, "--project", root, "--json")), &h); err != nil {
		w.t.Fatal(err)
	}
	return h.paths()
}

// TestEditorSurvivesTheApp kills the app under a connected editor: the next call works, because the bridge restarts the
// app and repeats the handshake.
func TestEditorSurvivesTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	e := w.connect(root)
	e.call("create_index", nil, nil)
	first := w.pid()
	if err := kill(first); err != nil {
		t.Fatal(err)
	}
	w.await("the call after the crash", func() bool {
		req := mcp.CallToolRequest{}
		req.Params.Name, req.Params.Arguments = "search_code", map[string]any{"query": "heap"}
		res, err := e.c.CallTool(t.Context(), req)
		return err == nil && !res.IsError
	})
	if w.pid() == first {
		t.Error("the killed process still serves")
	}
}

// TestTwoEditorsAtOnce runs two editors in separate projects through one app.
func TestTwoEditorsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lists, tables := w.copyGo("lists", "container"), w.copyGo("tables", "text/tabwriter", "encoding/csv")
	a, b := w.connect(lists), w.connect(tables)
	var wg sync.WaitGroup
	for e, want := range map[*editor]string{a: "container/", b: "encoding/csv/"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			e.call("create_index", nil, nil)
			for range 20 {
				var h hits
				e.call("search_code", map[string]any{"query": "remove an element or read a record"}, &h)
				for _, r := range h.Results {
					if inLists := strings.HasPrefix(r.Path, "container/"); inLists != (want == "container/") {
						t.Errorf("a result of the other project: %s", r.Path)
					}
				}
			}
		}()
	}
	wg.Wait()
	var list struct{ Projects []struct{ Name string } }
	a.call("list_projects", nil, &list)
	if len(list.Projects) != 2 {
		t.Errorf("%d projects", len(list.Projects))
	}
}

// TestStrippedEnvironment starts the bridge with a minimal environment, from a folder outside the project.
func TestStrippedEnvironment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.mustCLI("index", root, "--yes")
	w.env = append(homeOf(w.home), "LANG=C", "PATH=/usr/bin:/bin", "PWD="+w.home, "TERM=dumb", desktopOff)
	e := w.connect(t.TempDir())
	var h hits
	e.call("search_code", map[string]any{"query": "heap", "project": root}, &h)
	if h.rank("container/heap/") == 0 {
		t.Errorf("from elsewhere, by root: %+v", h)
	}
	e.call("search_code", map[string]any{"query": "heap"}, &h) // the only registered project
	if h.rank("container/heap/") == 0 {
		t.Errorf("the only project: %+v", h)
	}
}

// TestBadInput sends invalid requests; every answer is an error in the RFC's form or a result, and the app survives.
func TestBadInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.write(filepath.Join(root, "one-line.js"), "var a = ["+strings.Repeat("1234567890,", 80000)+"];")
	w.write(filepath.Join(root, "latin1.txt"), "caf\xe9 cr\xe8me\n")
	w.write(filepath.Join(root, "renamed.go"), "package x\x00\x01\x02")
	w.write(filepath.Join(root, "huge.go"), "package x\n//"+strings.Repeat("x", 100<<20))
	e := w.connect(root)
	e.call("create_index", nil, nil)
	type failure struct{ Code, UserMessage, DeveloperMessage string }
	for _, tc := range []struct {
		tool string
		args map[string]any
		code string // "" means any answer without an error
	}{
		{"search_code", map[string]any{"query": "heap", "top_k": 0}, "INVALID_ARGUMENT"},
		{"search_code", map[string]any{"query": "heap", "top_k": -1}, "INVALID_ARGUMENT"},
		{"search_code", map[string]any{"query": "heap", "top_k": 51}, "INVALID_ARGUMENT"},
		{"search_code", map[string]any{"query": "heap", "top_k": "ten"}, "INVALID_ARGUMENT"},
		{"search_code", map[string]any{"query": ""}, "INVALID_ARGUMENT"},
		{"search_code", map[string]any{}, "INVALID_ARGUMENT"},
		{"search_code", map[string]any{"query": strings.Repeat("where is the heap ", 6000)}, ""},
		{"search_code", map[string]any{"query": "heap", "project": filepath.VolumeName(root) + string(filepath.Separator)},
			"INDEX_NOT_FOUND"},
		{"search_code", map[string]any{"query": "heap", "project": "../.."}, "*"},
		{"search_by_path", map[string]any{"pattern": ""}, ""},
		{"search_by_path", map[string]any{"pattern": "["}, "INVALID_PATTERN"},
		{"search_by_path", map[string]any{"pattern": "{a,b"}, "INVALID_PATTERN"},
		{"reindex_file", map[string]any{"path": "../../../etc/passwd"}, "*"},
		{"reindex_file", map[string]any{"path": "renamed.go"}, "FILE_NOT_INDEXABLE"},
		{"reindex_file", map[string]any{"path": "huge.go"}, "FILE_NOT_INDEXABLE"},
		{"reindex_file", map[string]any{"path": "latin1.txt"}, ""},
		{"reindex_file", map[string]any{"path": "one-line.js"}, ""},
	} {
		var f failure
		res := e.call(tc.tool, tc.args, &f)
		switch {
		case tc.code == "" && res.IsError:
			t.Errorf("%s %.60v: %+v", tc.tool, tc.args, f)
		case tc.code != "" && (!res.IsError || f.UserMessage == "" || !strings.HasPrefix(f.DeveloperMessage, f.Code+": ")):
			t.Errorf("%s %.60v: not an error in the RFC's form: %+v", tc.tool, tc.args, f)
		case tc.code != "" && tc.code != "*" && f.Code != tc.code:
			t.Errorf("%s %.60v: %s, want %s", tc.tool, tc.args, f.Code, tc.code)
		}
	}
	var h hits
	e.call("search_code", map[string]any{"query": "smallest element of a heap"}, &h)
	if h.rank("container/heap/") == 0 {
		t.Errorf("after all that: %s", h.paths())
	}
}

// TestNobodyAgreed covers the ways of not approving an action.
func TestNobodyAgreed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	if out, code := w.cli("index", root); code != 1 {
		t.Errorf("without a terminal and without --yes: exit %d\n%s", code, out)
	}
	if s := w.state(root); s != "" {
		t.Errorf("the project is %q", s)
	}
	for _, broad := range []string{"/", w.home} {
		if out, code := w.cli("index", broad); code == 0 {
			t.Errorf("%s was indexed:\n%s", broad, out)
		}
	}
	if out, code := w.cli("index", w.home, "--yes"); code == 0 || strings.Contains(out, "Indexed") {
		// one answer; it takes two
		t.Errorf("the home folder was indexed:\n%s", out)
	}
	e := w.connect(root)
	e.say(mcp.ElicitationResponseActionCancel)
	var created struct{ Status string }
	if e.call("create_index", nil, &created); created.Status != "cancelled" {
		t.Errorf("dismissed: %+v", created)
	}
}

// TestRefusedOften: three consecutive refusals end the questions in all sessions, until the user runs the command in
// the refusal.
func TestRefusedOften(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container/ring")
	e := w.connect(root)
	e.say(mcp.ElicitationResponseActionDecline)
	for range 3 {
		e.call("create_index", nil, nil)
	}
	e = w.connect(root)
	text, failed := e.text("create_index", nil)
	if asked := e.questions(); !failed || len(asked) > 0 || strings.Contains(text, "window") ||
		!strings.Contains(text, "in a terminal: search-mcp index "+root) {
		t.Errorf("asked %q: %s", asked, text)
	}
	w.mustCLI("index", root, "--yes")
	if text, failed := e.text("reindex_project", nil); failed || len(e.questions()) != 1 {
		t.Errorf("after the command: asked %q: %s", e.questions(), text)
	}
	w.mustCLI("delete", "--project", root, "--yes")
	if text, failed := e.text("create_index", nil); failed || len(e.questions()) != 2 {
		t.Errorf("after the deletion: asked %q: %s", e.questions(), text)
	}
}
