//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestSeveralFolders adds and removes a second folder of a project while an editor is connected. The path of a result
// names its folder, and a search in several projects names the project.
func TestSeveralFolders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shelf, tables, library := w.copyGo("shelf", "container"), w.copyGo("tables", "text/tabwriter"),
		w.copyGo("library", "encoding/csv")
	e := w.connect(shelf)
	e.call("create_index", nil, nil)
	w.mustCLI("index", tables, "--yes")
	find := func(query string, args map[string]any) hits {
		var h hits
		args["query"] = query
		e.call("search_code", args, &h)
		return h
	}
	const record, both = "read a record of a csv file", "Init" // text in lists, heaps and table writers
	if h := find(record, map[string]any{}); strings.Contains(h.paths(), "csv") {
		t.Fatalf("before: %s", h.paths())
	}
	w.mustCLI("root", "add", library, "--name", "lib", "--project", shelf, "--yes")
	w.await("the new folder to be found", func() bool {
		return strings.Contains(find(record, map[string]any{}).paths(),
			"@lib/encoding/csv/reader.go")
	})
	w.write(filepath.Join(library, "fresh.go"),
		"package fresh\n\n// Zwiebelfisch counts onions.\nfunc Zwiebelfisch() {}\n")
	w.await("a change in the new folder", func() bool {
		var h hits
		e.call("search_code", map[string]any{"query": "Zwiebelfisch"}, &h)
		return strings.Contains(h.paths(), "@lib/fresh.go")
	})
	for _, project := range []any{"all", "shelf, tables", []string{"tables", shelf}} {
		h := find(both, map[string]any{"project": project, "top_k": 50})
		seen := map[string]bool{}
		for _, r := range h.Results {
			seen[r.Project] = true
		}
		if !seen["shelf"] || !seen["tables"] {
			t.Errorf("a search of %v is from %v", project, seen)
		}
	}
	listed := regexp.MustCompile(`^\{"projects":\[\{"name":"shelf","projectPath":"[^"]+","status":"[a-z]+","totalFiles":[1-9]\d*,` +
		`"totalChunks":[1-9]\d*,.*\{"name":"tables",.*\],"totalProjects":2`)
	if text, failed := e.text("list_projects", nil); failed || !listed.MatchString(text) {
		t.Errorf("list_projects: %s", text)
	}
	w.mustCLI("root", "remove", library, "--project", shelf)
	w.await("the folder to be gone", func() bool {
		return !strings.Contains(find(record, map[string]any{}).paths(), "@lib/")
	})
	if h := find(both, map[string]any{}); len(h.Results) == 0 {
		t.Error("the project itself is gone, too")
	}
}

// Sizes of TestTwentyEditors.
const editorsAtOnce, callsOfEach = 20, 30

// TestTwentyEditors lets twenty editors make six hundred mixed calls concurrently. Each gets its own answers, and
// afterwards the app has no more open files and threads than before.
func TestTwentyEditors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	roots := []string{w.copyGo("shelf", "container"), w.copyGo("tables", "text/tabwriter")}
	for _, root := range roots {
		w.mustCLI("index", root, "--yes")
	}
	crowd := func(calls int) {
		var wg sync.WaitGroup
		for n := range editorsAtOnce {
			e := w.connect(roots[n%2])
			wg.Go(func() {
				for i := range calls {
					if err := e.mixed(i, filepath.Base(roots[n%2])); err != nil {
						t.Errorf("editor %d, call %d: %v", n, i, err)
						return
					}
				}
				if err := e.c.Close(); err != nil {
					t.Errorf("editor %d: %v", n, err)
				}
			})
		}
		wg.Wait()
	}
	crowd(10) // opens persistent files
	w.await("the first crowd to be gone", func() bool { return w.sessions() == 0 })
	files, threads := w.handles()
	began := time.Now()
	crowd(callsOfEach)
	t.Logf("%d calls in %v", editorsAtOnce*callsOfEach, time.Since(began).Round(time.Millisecond))
	w.await("the editors to be gone", func() bool { return w.sessions() == 0 })
	// The engine may open a few files in the background. Threads grow with load and never end, but there must not be one
	// for each session.
	w.await("the files to be closed", func() bool { now, _ := w.handles(); return now <= files+4 })
	nowFiles, nowThreads := w.handles()
	t.Logf("%d open files and %d threads, before %d and %d", nowFiles, nowThreads, files, threads)
	if nowThreads > threads+2*editorsAtOnce {
		t.Errorf("%d threads, before %d", nowThreads, threads)
	}
}

// mixed makes the i-th call of an editor, in the given project.
func (e *editor) mixed(i int, project string) error {
	ctx := e.t.Context()
	folder := map[string]string{"shelf": "container/", "tables": "text/tabwriter/"}[project]
	// The query has words of the project, because on a busy machine a search may run without the model.
	query := map[string]string{"shelf": "remove an element", "tables": "width of a cell"}[project]
	calls := []struct {
		tool string
		args map[string]any
		want string
	}{
		{"list_projects", nil, "totalProjects"}, {"get_index_status", nil, project},
		{"search_by_path", map[string]any{"pattern": "**/*.go"}, folder},
		{"search_code", map[string]any{"query": query, "top_k": 3}, folder},
	}
	switch n := i % (len(calls) + 2); n {
	case len(calls):
		_, err := e.c.ListTools(ctx, mcp.ListToolsRequest{})
		return err
	case len(calls) + 1:
		_, err := e.c.ListResources(ctx, mcp.ListResourcesRequest{})
		return err
	default:
		res, err := e.c.CallTool(ctx, request(calls[n].tool, calls[n].args))
		if err != nil {
			return err
		}
		if text := answerText(res); res.IsError || !strings.Contains(text, calls[n].want) {
			return fmt.Errorf("%s: %s, want %s", calls[n].tool, text, calls[n].want)
		}
		return nil
	}
}

// handles returns the app's numbers of open files and threads.
func (w *world) handles() (files, threads int) {
	w.t.Helper()
	for dir, n := range map[string]*int{"fd": &files, "task": &threads} {
		list, err := os.ReadDir(fmt.Sprintf("/proc/%d/%s", w.pid(), dir))
		if err != nil {
			w.t.Skipf("only Linux shows them: %v", err)
		}
		*n = len(list)
	}
	return files, threads
}

// sessions returns the number of connected editors from doctor.
func (w *world) sessions() int {
	w.t.Helper()
	doctor, _ := w.cli("doctor") // an error: on a busy machine a worker may be checked too late
	for line := range strings.Lines(doctor) {
		var n int
		if _, text, found := strings.Cut(line, "editors: "); found {
			if _, err := fmt.Sscanf(text, "%d connected", &n); err == nil {
				return n
			}
		}
	}
	w.t.Fatal("doctor does not report editors")
	return 0
}
