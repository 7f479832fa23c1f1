//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// worker is the process id of the app's worker of a kind, 0 while none runs.
func (w *world) worker(kind string) int {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(w.pid()) + "/task/*/children")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range tasks {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // the thread has ended
		}
		for pid := range strings.FieldsSeq(string(text)) {
			args, err := os.ReadFile("/proc/" + pid + "/cmdline")
			if err == nil && strings.HasSuffix(string(args), "search-mcp-worker\x00"+kind+"\x00") {
				n, err := strconv.Atoi(pid)
				if err != nil {
					w.t.Fatal(err)
				}
				return n
			}
		}
	}
	return 0
}

// betweenKills is longer than any text of the test takes to be parsed, embedded or stored anew: a text that kills its
// worker twice, the second time alone, is taken to be the cause and left out.
const betweenKills = time.Second

// TestWorkerKilled ends the worker as a fault, an abort and the system's want of memory do, while it parses, embeds
// and stores and an editor searches. The app, the editor's session and its searches go on, and in the end the index
// is what it is without.
func TestWorkerKilled(t *testing.T) {
	folders := []string{"container", "encoding/csv", "text/tabwriter", "sort", "strconv", "path", "mime", "go"}
	calm := newWorld(t)
	other := calm.copyGo("shelf", folders...)
	calm.mustCLI("index", other, "--yes")
	want := calm.figures(other)
	for _, kind := range []string{"parse", "embed", "store"} {
		for _, signal := range []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGKILL} {
			t.Run(kind+" "+signal.String(), func(t *testing.T) {
				w := newWorld(t)
				small := w.copyGo("small", "sort")
				w.mustCLI("index", small, "--yes")
				e := w.connect(small)
				app := w.pid()
				root := w.copyGo("shelf", folders...)
				done := make(chan struct{})
				go func() { defer close(done); w.cli("index", root, "--yes") }()
				kills, last := 0, time.Time{}
				for busy := true; busy; {
					select {
					case <-done:
						busy = false
					case <-time.After(50 * time.Millisecond):
					}
					due := busy && kills < 2 && time.Since(last) > betweenKills
					if pid := w.worker(kind); due && pid > 0 && syscall.Kill(pid, signal) == nil {
						kills, last = kills+1, time.Now()
					}
					req := mcp.CallToolRequest{}
					req.Params.Name, req.Params.Arguments = "search_code", map[string]any{"query": "smallest element first"}
					if res, err := e.c.CallTool(t.Context(), req); err != nil || res.IsError {
						t.Errorf("search after %d kills: %v", kills, err)
					}
				}
				if kills == 0 {
					t.Fatal("no worker was killed")
				}
				w.await("every vector", func() bool { p := w.project(root); return p.State == "ready" && p.Vectors == p.Chunks })
				if got := w.figures(root); got != want {
					t.Errorf("after %d kills: %s; without: %s", kills, got, want)
				}
				if w.pid() != app {
					t.Error("the app died with its worker")
				}
				if out := w.mustCLI("doctor", "--project", root); !strings.Contains(out, "agree") {
					t.Errorf("doctor:\n%s", out)
				}
			})
		}
	}
}

// TestWorkersEndWithTheApp kills the app: no worker is left over.
func TestWorkersEndWithTheApp(t *testing.T) {
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.mustCLI("index", root, "--yes")
	var pids []int
	for _, kind := range []string{"parse", "embed", "store"} {
		if pid := w.worker(kind); pid > 0 {
			pids = append(pids, pid)
		}
	}
	if len(pids) == 0 {
		t.Fatal("no worker runs right after indexing")
	}
	if err := syscall.Kill(w.pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.await("the app and its workers to be gone", func() bool {
		if w.running() {
			return false
		}
		for _, pid := range pids {
			state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err == nil && !strings.Contains(string(state), ") Z ") {
				return false
			}
		}
		return true
	})
}
