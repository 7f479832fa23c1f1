//go:build linux

package e2e

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/files/repo/repotest"
)

// background calls a tool in the background and sends the answer.
func (e *editor) background(ctx context.Context, tool string, args map[string]any) <-chan *mcp.CallToolResult {
	answer := make(chan *mcp.CallToolResult, 1)
	go func() {
		r, err := e.c.CallTool(ctx, request(tool, args))
		if err != nil && ctx.Err() == nil {
			e.t.Errorf("%s: %v", tool, err)
		}
		answer <- r
	}()
	return answer
}

// hang stops the app's worker of a kind until resume is called. The app replaces a stopped worker after a minute.
func (w *world) hang(kind string) (resume func()) {
	w.t.Helper()
	pid := 0
	w.await("the worker "+kind, func() bool {
		pid = w.worker(kind)
		return pid > 0 && syscall.Kill(pid, syscall.SIGSTOP) == nil
	})
	resume = func() { _ = syscall.Kill(pid, syscall.SIGCONT) } // fails if the worker was replaced
	w.t.Cleanup(resume)
	return resume
}

// TestTimesOfConfirmation checks that one answer settles the same question of two editors, and a cancelled call
// withdraws its question. A call without a progress token is answered after 25 seconds while its job continues, and a
// repeated call joins the job. A call whose job is paused is answered at once.
func TestTimesOfConfirmation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fresh = true
	tables, rows := w.copyGo("tables", "text/tabwriter"), w.copyGo("rows", "encoding/csv")

	first, second := w.connect(tables), w.connect(tables)
	start := time.Now()
	answer := first.background(t.Context(), "create_index", nil)
	resume := w.hang("embed")
	var early struct {
		Status   string
		Progress struct{ FilesDone, FilesTotal int }
	}
	decode(t, answerText(<-answer), &early)
	if took := time.Since(start); took < 24*time.Second || early.Status != "indexing" || early.Progress.FilesTotal == 0 ||
		early.Progress.FilesDone != early.Progress.FilesTotal {
		t.Errorf("without a token, after %v: %+v", took, early)
	}
	_ = first.c.Close()
	joined := make(chan string)
	go func() { text, _ := second.text("create_index", nil); joined <- text }()
	w.await("the second call to join", func() bool { return second.notified("notifications/progress") > 0 })
	resume()
	if text := <-joined; !strings.Contains(text, `"status":"success"`) || len(second.questions()) > 0 {
		t.Errorf("the second call: %s, asked %q", text, second.questions())
	}

	a, b := w.connect(rows), w.connect(rows)
	a.answerWith(noAnswer)
	other := a.background(t.Context(), "create_index", nil)
	w.await("the question", func() bool { return len(a.questions()) == 1 })
	if text, failed := b.text("create_index", nil); failed || !strings.Contains(text, `"status":"success"`) {
		t.Error(text)
	}
	text := answerText(<-other) // on a busy machine the job takes longer than 25 seconds
	if !strings.Contains(text, `"status":"success"`) && !strings.Contains(text, `"status":"indexing"`) ||
		a.notified("notifications/cancelled") != 1 {
		t.Errorf("the first of two editors: %s, %d dialogs closed", text, a.notified("notifications/cancelled"))
	}

	ctx, cancel := context.WithCancel(t.Context())
	a.background(ctx, "delete_index", nil)
	w.await("the question", func() bool { return len(a.questions()) == 2 })
	cancel()
	w.await("the question to be withdrawn", func() bool { return a.notified("notifications/cancelled") == 2 })
	b.wantText("encoding/csv/reader.go", "search_by_path", map[string]any{"pattern": "**/reader.go"})

	w.mustCLI("pause")
	start = time.Now()
	if text, _ := b.text("reindex_project", nil); !strings.Contains(text, `"status":"indexing"`) ||
		!strings.Contains(text, "The user has paused indexing") || time.Since(start) > 20*time.Second {
		t.Errorf("a paused job, after %v: %s", time.Since(start), text)
	}
}

// TestDesktopWithoutWindow checks that a display is a desktop while it accepts a connection and a window manager runs.
// On a desktop whose window can't be shown, a call is refused at once with the command to type, and the client is not
// asked.
func TestDesktopWithoutWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := filepath.Join(w.home, "key") // keeps other tests' programs from the display
	w.write(key, "\xff\xff\x00\x00\x00\x00\x00\x12MIT-MAGIC-COOKIE-1\x00\x10"+rand.Text()[:16])
	r, number, err := os.Pipe()
	check(t, err)
	start := func(command string, args ...string) *os.Process {
		t.Helper()
		cmd := exec.Command(command, args...)
		cmd.Env, cmd.ExtraFiles, cmd.SysProcAttr = w.env, []*os.File{number}, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") == "" {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd.Process
	}
	// Without -noreset the server restarts after its only client disconnects.
	server := start("Xvfb", "-displayfd", "3", "-noreset", "-nolisten", "tcp", "-auth", key)
	display := must(bufio.NewReader(r).ReadString('\n'))
	w.env = append(w.env, "DISPLAY=:"+strings.TrimSpace(display), "XAUTHORITY="+key, "SEARCH_MCP_DESKTOP=environment")
	root := w.folder(map[string]string{"go.mod": "module p\n"})
	e := w.connect(root)
	e.answerWith(mcp.ElicitationResponseActionDecline)
	call := func(want string, asked int) {
		t.Helper()
		began := time.Now()
		if text, _ := e.text("create_index", nil); !strings.Contains(text, want) || len(e.questions()) != asked ||
			time.Since(began) > 15*time.Second {
			t.Errorf("%s after %v; asked %q", text, time.Since(began), e.questions())
		}
	}
	desktop := func(want string) {
		t.Helper()
		w.await(want, func() bool { out, _ := w.cli("doctor"); return strings.Contains(out, want) })
	}
	call(`"status":"cancelled"`, 1)
	manager := start("openbox")
	desktop("found; a window asks")
	call("search-mcp index "+root, 1)
	check(t, manager.Kill())
	desktop("no desktop session")
	call(`"status":"cancelled"`, 2)
	start("openbox")
	desktop("found; a window asks")
	check(t, server.Signal(syscall.SIGSTOP))
	desktop("no desktop session")
}

// TestBroadFoldersAreAskedTwice checks that only two approvals at a terminal index a home folder or its parent. An
// assistant's client is not asked, because it could answer for its user.
func TestBroadFoldersAreAskedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, "wombat.go"), "package p\n")
	e := w.connect(w.home)
	for _, step := range []struct {
		command, typed string
		code           int
	}{
		{"index .", "n\n", 3}, {"index .", "y\nn\n", 3}, {"index ..", "y\nn\n", 3}, {"index .", "y\ny\n", 0},
		{"reindex --project .", "y\nn\n", 3},
	} {
		cmd := exec.Command(filepath.Join(w.bin, "search-mcp"), strings.Fields(step.command)...)
		cmd.Env, cmd.Dir = append(w.env, "TERM=dumb"), w.home
		terminal, err := pty.Start(cmd)
		check(t, err)
		must(terminal.WriteString(step.typed))
		printed, _ := io.ReadAll(terminal) // EIO at the end
		_ = cmd.Wait()
		out := strings.Join(strings.Fields(string(printed)), " ") // lines are wrapped
		if cmd.ProcessState.ExitCode() != step.code || strings.Count(out, "Go ahead?") != len(step.typed)/2 ||
			(len(step.typed) == 4) != strings.Contains(out, "is not a single project but everything below that folder. "+
				"Do you really want to index all of it?") {
			t.Fatalf("%q, %q: %v\n%s", step.command, step.typed, cmd.ProcessState, out)
		}
	}
	for tool, root := range map[string]string{"create_index": filepath.Dir(w.home), "reindex_project": w.home} {
		if text, failed := e.text(tool, map[string]any{"project": root}); !failed || len(e.questions()) > 0 ||
			!strings.Contains(text, "a client's answer is not accepted for such a broad folder") {
			t.Errorf("%s %s: %s, asked %q", tool, root, text, e.questions())
		}
	}
}

// TestDailyPass checks that all files are compared by their hashes every 24 hours, or as configured, so that a change
// without an event and with the same size and time is found (RFC 5.6).
func TestDailyPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.quick()
	root := w.folder(map[string]string{"go.mod": "module p\n", "dig.go": "package p\n\nfunc DigWombat() {}\n"})
	outside := filepath.Join(w.home, "dig.go")
	check(t, os.Link(filepath.Join(root, "dig.go"), outside)) // a write through this name causes no event
	old := time.Now().Add(-time.Hour)
	check(t, os.Chtimes(outside, old, old))
	began := time.Now()
	w.mustCLI("index", root, "--yes")
	w.stop() // the first pass of a new project is sooner
	e := w.connect(root)
	for i, name := range []string{"Quokka", "Numbat", "Dugong"} {
		w.write(outside, "package p\n\nfunc Dig"+name+"() {}\n")
		check(t, os.Chtimes(outside, old, old))
		w.await("the pass", func() bool {
			var h hits
			e.call("search_code", map[string]any{"query": "Dig" + name}, &h)
			return h.rank("dig.go") == 1 && strings.Contains(h.Results[0].Text, name)
		})
		if took := time.Since(began); (i == 0) != (took >= 24*quickHour) {
			t.Errorf("pass %d after %v", i+1, took)
		}
		began = time.Now()
		w.configure(`{"integrityInterval": 1}`)
	}
}

// TestShareIsPolled checks that a change by another computer, which causes no event, is found on a network share (RFC
// 5.5). The app of this test takes a folder with the name share for one.
func TestShareIsPolled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.quick()
	w.write(filepath.Join(w.data, "config.json"), `{"integrityInterval": 100000}`) // no pass finds it
	root := w.folder(map[string]string{"go.mod": "module p\n", "share/dig.go": "package p\n"})
	outside := filepath.Join(w.home, "dig.go")
	check(t, os.Link(filepath.Join(root, "share", "dig.go"), outside)) // a write through this name causes no event
	w.indexed(root).wantText("network share", "get_index_status", nil)
	const text = "package p\n\nfunc DigWombat() {}\n"
	w.write(outside, text)
	w.await("a poll", func() bool { return w.committed(text) })
}

// TestGitStrategyAndRebuild checks that the git strategy keeps changes waiting across a restart until a commit (RFC
// 5.7), and that a rebuild reads them. Until the rebuild is complete, and after Ctrl-C, the old index answers (RFC
// 4.5).
func TestGitStrategyAndRebuild(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fresh = true
	root := w.copyGo("shelf", "container/ring")
	repotest.Git(t, root, "init", "-q")
	repotest.Git(t, root, "add", ".")
	repotest.Git(t, root, "commit", "-q", "-m", "one")
	w.write(filepath.Join(w.data, "config.json"), `{"indexingStrategy": "git"}`)
	w.mustCLI("index", root, "--yes")
	w.await("the position of HEAD", func() bool {
		heads, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", "git-head.json"))
		return err == nil && len(heads) == 1
	})
	e := w.connect(root)
	var status struct {
		Status, IndexingStrategy string
		PendingFiles             int
		WatcherActive            bool
		Progress                 struct{ Phase string }
	}
	await := func(what string, ok func() bool) {
		t.Helper()
		w.await(what, func() bool { e.call("get_index_status", nil, &status); return ok() })
	}
	finds := func(symbol string) bool {
		text, _ := e.text("grep_code", map[string]any{"pattern": "func " + symbol})
		return strings.Contains(text, ".go")
	}
	await("the strategy", func() bool { return status.IndexingStrategy == "git" && status.WatcherActive })
	w.write(filepath.Join(root, "quokka.go"), "package shelf\n\nfunc RestQuokka() {}\n")
	await("a waiting file", func() bool { return status.PendingFiles == 1 })
	old := func(when string) {
		t.Helper()
		var h hits
		e.call("search_code", map[string]any{"query": "element of a ring"}, &h)
		var files struct{ Matches []string }
		e.call("search_by_path", map[string]any{"pattern": "**/*.go"}, &files)
		if h.rank("container/ring/") == 0 || h.rank("quokka.go") > 0 || strings.Contains(strings.Join(files.Matches, " "),
			"quokka.go") || finds("RestQuokka") || !finds("New") {
			t.Errorf("%s: %s, files %q", when, h.paths(), files.Matches)
		}
	}
	old("before a commit")
	w.stop()
	e = w.connect(root)
	await("the file to wait after a restart", func() bool { return status.PendingFiles == 1 && status.WatcherActive })
	old("after a restart")

	rebuild := exec.Command(filepath.Join(w.bin, "search-mcp"), "reindex", "--project", root, "--yes")
	rebuild.Env, rebuild.Dir = w.env, w.home
	var out strings.Builder
	rebuild.Stdout, rebuild.Stderr = &out, &out
	check(t, rebuild.Start())
	resume := w.hang("embed")
	await("the rebuild to make vectors, or its end", func() bool {
		return status.Status == "indexing" && status.Progress.Phase == "embedding" || finds("RestQuokka")
	})
	old("during a rebuild")
	check(t, rebuild.Process.Signal(os.Interrupt))
	err := rebuild.Wait()
	resume()
	if rebuild.ProcessState.ExitCode() != 3 || !strings.Contains(out.String(), "Cancelled. The index is unchanged.") {
		t.Errorf("after Ctrl-C: %v, %s", err, out.String())
	}
	old("after Ctrl-C")

	var rebuilt struct{ Status, Message string }
	if e.call("reindex_project", nil, &rebuilt); rebuilt.Message != "Index rebuilt successfully" || !finds("RestQuokka") {
		t.Errorf("%+v, new file found: %v", rebuilt, finds("RestQuokka"))
	}
	await("the rebuild to have read the waiting file", func() bool { return status.PendingFiles == 0 })
	w.write(filepath.Join(root, "numbat.go"), "package shelf\n\nfunc DigNumbat() {}\n")
	w.write(filepath.Join(root, "draft.go"), "package shelf\n\nfunc Draft() {}\n")
	await("two more waiting files", func() bool { return status.PendingFiles == 2 })
	repotest.Git(t, root, "add", "numbat.go")
	repotest.Git(t, root, "commit", "-q", "-m", "two")
	w.await("the waiting files", func() bool { return finds("DigNumbat") && finds("Draft") })
}
