package e2e

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
)

// TestProgramReplaced upgrades the app under a connected editor, as a package manager does: it replaces the program's
// file, and a program of another version connects. The app restarts in the same process, unnoticed by the editor.
func TestProgramReplaced(t *testing.T) {
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	place := filepath.Join(t.TempDir(), "installed")
	check(t, os.CopyFS(place, os.DirFS(bin))) // links to libraries and model stay links
	app := filepath.Join(place, client.AppName+suffix)
	started := w.terminal(&client.Launcher{Program: app, Env: w.env})
	e := w.indexed(root)
	pid := w.pid()

	check(t, os.Rename(app, app+".old"))
	text, err := os.ReadFile(app + ".old")
	check(t, err)
	check(t, os.WriteFile(app+".new", text, 0o755))
	check(t, os.Rename(app+".new", app))
	// The app is built without a version, but this test connects with one.
	ours := version.Version
	version.Version = "9.9.9"
	t.Cleanup(func() { version.Version = ours })
	if again := w.terminal(nil); again != started {
		t.Fatal("the app restarted before it could know")
	}
	w.await("the app to restart", func() bool {
		now := w.terminal(nil)
		return !now.IsZero() && now != started
	})
	if now := w.pid(); now != pid && runtime.GOOS != "windows" { // Windows has no exec
		t.Errorf("process %d became %d: a service manager would take that for an end", pid, now)
	}
	w.await("the editor's next call", func() bool {
		res, err := e.c.CallTool(t.Context(), request("search_code", map[string]any{"query": "heap"}))
		return err == nil && !res.IsError
	})
	log, err := os.ReadFile(filepath.Join(w.data, "logs", "app.log"))
	if err != nil || !strings.Contains(string(log), "the program was replaced") || !strings.Contains(string(log),
		"another version connects") {
		t.Errorf("the log does not give the reason: %v", err)
	}
}

// terminal returns the app's start time, or the zero time if no app answers.
func (w *world) terminal(l *client.Launcher) time.Time {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Minute)
	defer cancel()
	c, err := client.Connect(ctx, client.Options{DataDir: w.data, Hello: wire.Hello{Role: api.RoleTerminal},
		Name: "test", Launcher: l})
	if err != nil {
		if l != nil {
			w.t.Fatal(err)
		}
		return time.Time{}
	}
	defer c.Close()
	status, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
	if err != nil {
		return time.Time{} // the app is ending
	}
	return status.Started
}
