//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// worker returns the PID of the app's worker of a kind, or 0.
func (w *world) worker(kind string) int {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(w.pid()) + "/task/*/children")
	check(w.t, err)
	for _, f := range tasks {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // the thread has ended
		}
		for pid := range strings.FieldsSeq(string(text)) {
			args, err := os.ReadFile("/proc/" + pid + "/cmdline")
			if err == nil && strings.HasSuffix(string(args), "search-mcp-worker\x00"+kind+"\x00") {
				n, err := strconv.Atoi(pid)
				check(w.t, err)
				return n
			}
		}
	}
	return 0
}

// TestWorkersEndWithTheApp kills the app: no worker remains.
func TestWorkersEndWithTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.mustCLI("index", root, "--yes")
	pids := []int{w.worker("parse"), w.worker("embed"), w.worker("store")}
	if slices.Max(pids) == 0 {
		t.Fatal("no worker runs right after indexing")
	}
	check(t, syscall.Kill(w.pid(), syscall.SIGKILL))
	w.await("the app and its workers to be gone", func() bool {
		if w.running() {
			return false
		}
		for _, pid := range pids { // or 0, which has no file
			state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err == nil && !strings.Contains(string(state), ") Z ") {
				return false
			}
		}
		return true
	})
}

// logged counts text in all logs.
func (w *world) logged(text string) (n int) {
	w.t.Helper()
	for name, log := range w.dataFiles() {
		if strings.HasSuffix(name, ".log") {
			n += strings.Count(string(log), text)
		}
	}
	return n
}

// TestDamagedTable overwrites the heads of LanceDB's files, which would make the library allocate tens of gigabytes.
// The start detects the damage without reading the files and restores the index. The status has a notice of the repair.
func TestDamagedTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.mustCLI("index", root, "--yes")
	want := w.figures(root)
	const notice = "A part of the search index was damaged and has been rebuilt. (INDEX_CORRUPT: LanceDB read error - "
	w.stop()
	files, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", "index.lancedb", "*.lance", "data", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		f := must(os.OpenFile(name, os.O_WRONLY, 0))
		must(f.WriteAt([]byte(strings.Repeat("to be or not to be ", 27)), 0))
		check(t, f.Close())
	}
	w.mustCLI("projects")
	w.await("every vector", func() bool { p := w.project(root); return p.State == "ready" && p.Vectors == p.Chunks })
	if got := w.figures(root); got != want {
		t.Errorf("%s, before the damage %s", got, want)
	}
	if out := w.mustCLI("status", "--project", root); !strings.Contains(out, notice) || w.logged("worker died") > 0 {
		t.Errorf("not in the status, or read by the library: %s", out)
	}
	w.wantCLI(0, "agree", "doctor")
}

// TestDamagedText checks that the answer has the sentence of RFC 6.2 while a damaged text index is rebuilt.
func TestDamagedText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(authFiles)
	w.mustCLI("index", root, "--yes")
	w.mustCLI("pause")
	w.stop()
	w.write(w.indexFile("index.bleve/root.bolt"), strings.Repeat("to be or not to be ", 4000))
	e := w.connect(root)
	const notice = `"notices":[{"code":"INDEX_CORRUPT","userMessage":"The search index seems corrupted. Rebuilding it now...",` +
		`"developerMessage":"INDEX_CORRUPT: LanceDB read error - `
	e.wantText(notice, "get_index_status", nil)
	w.mustCLI("resume")
	w.await("the repair", func() bool { return w.project(root).Files == len(authFiles) })
}

// TestDoctorAnswersDespiteHangs stops the process that has opened the tables.
func TestDoctorAnswersDespiteHangs(t *testing.T) {
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.mustCLI("index", root, "--yes")
	w.mustCLI("doctor") // starts all workers
	pid := w.worker("store")
	if pid == 0 {
		t.Fatal("no worker")
	}
	check(t, syscall.Kill(pid, syscall.SIGSTOP))
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }() // fails if the process was killed
	began := time.Now()
	out, code := w.cli("doctor")
	if took := time.Since(began); code == 0 || took > 40*time.Second || !strings.Contains(out,
		"check timed out") &&
		!strings.Contains(out, "can't be compared") && !strings.Contains(out, "can't be read") {
		t.Errorf("exit %d after %v:\n%s", code, took, out)
	}
}

// TestHungApp checks that a call ends after ten seconds with advice if the app does not respond. stop kills the app if
// the user agrees at a terminal or with --yes.
func TestHungApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container/ring")
	e := w.indexed(root)
	pid := w.pid()
	check(t, syscall.Kill(pid, syscall.SIGSTOP))
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }() // fails if the app was killed
	search := request("search_code", map[string]any{"query": "ring"})
	if _, err := e.c.CallTool(t.Context(), search); err == nil || !strings.Contains(err.Error(),
		"Search MCP does not respond. "+`Ask the user to run "search-mcp stop" in a terminal and to start Search MCP again; the next call will work then.`) {
		t.Errorf("the call: %v", err)
	}
	w.wantCLI(1, "search-mcp stop", "search", "ring", "--project", root)
	if out, code := w.cli("stop"); code != 1 || !strings.Contains(out, unasked) || w.pid() != pid {
		t.Errorf("stop without a terminal: exit %d, %s", code, out)
	}
	if out, code := w.cli("stop", "--yes"); code != 0 || out != "Search MCP has been quit.\n" || w.running() {
		t.Errorf("stop: exit %d, %s", code, out)
	}
	w.wantCLI(0, "ring.go", "search", "ring", "--project", root)
}
