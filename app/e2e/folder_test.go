package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDataFolderIsDeleted checks that an app ends if its data folder is removed, and removes no files of its successor.
// An app whose socket is removed serves again without help.
func TestDataFolderIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustCLI("projects")
	orphan := w.pid()
	if runtime.GOOS == "windows" {
		t.Skip("the app's own open files keep its folder from being removed there")
	}
	check(t, os.RemoveAll(w.data))
	w.mustCLI("projects")
	next := w.pid()
	if next == orphan {
		t.Fatal("the app that lost its folder is still asked")
	}
	w.await("the orphan to end", func() bool {
		_, err := os.Stat(fmt.Sprintf("/proc/%d/exe", orphan))
		return err != nil
	})
	w.mustCLI("projects")
	if got := w.pid(); got != next {
		t.Errorf("process %d in place of %d: the orphan took its socket or lock along", got, next)
	}
	second := exec.Command(filepath.Join(w.bin, "search-mcp-app"))
	second.Env = w.env
	if err := second.Run(); w.pid() != next {
		t.Errorf("a second app took the data folder: %v", err)
	}
	socket := filepath.Join(w.data, "run", "app.sock")
	check(t, os.Remove(socket))
	w.await("a new socket", func() bool { _, err := os.Lstat(socket); return err == nil })
	w.mustCLI("projects")
}

// TestNoPlaceToStart checks that doctor reports a folder that the app can't lock.
func TestNoPlaceToStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.data, "app.json", "in the way"), "")
	w.wantCLI(1, "it can't start", "doctor")
}

// TestBridgesEnvironment checks that an editor's entry can neither disable nor redirect the desktop of the shared app.
func TestBridgesEnvironment(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the environment of a process is read from /proc")
	}
	w := newWorld(t)
	w.env = append(w.env, "DISPLAY=:55", "WAYLAND_DISPLAY=wayland-9")
	w.bridgeStarts = true
	w.connect(w.home) // w.env contains desktopOff
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", w.pid()))
	check(t, err)
	if !strings.Contains(string(env), "SEARCH_MCP_HOME=") || strings.Contains(string(env), "SEARCH_MCP_DESKTOP") ||
		strings.Contains(string(env), "DISPLAY=") {
		t.Errorf("the app has %q", strings.Split(string(env), "\x00"))
	}
}

// TestConfigurationIsJSON checks that other programs can read and write config.json. Its valid fields apply, its errors
// are in the project's log, and deleting the global file removes its effect.
func TestConfigurationIsJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	global := filepath.Join(w.data, "config.json")
	w.write(global, `{"exclude": ["private/**"]}`)
	root := w.folder(map[string]string{"main.go": "package main\n", "private/a.go": "package private\n",
		"tmp/b.go": "package tmp\n"})
	e := w.indexed(root)
	files := func() string { text, _ := e.text("search_by_path", map[string]any{"pattern": "**/*.go"}); return text }
	indexed := func(what string, paths ...string) {
		t.Helper()
		want := `"matches":["` + strings.Join(paths, `","`) + `"]`
		w.await(what+" "+want, func() bool { return strings.Contains(files(), want) })
	}
	indexed("by the global file", "main.go", "tmp/b.go")
	var config map[string]any
	decode(t, string(must(os.ReadFile(w.indexFile("config.json")))), &config)
	rewrite := func(name string, value any) {
		t.Helper()
		config[name] = value
		w.write(w.indexFile("config.json"), string(must(json.Marshal(config)))) // reordered and unindented
	}
	rewrite("maxFiles", 400)
	w.write(global, `{"exclude": ["tmp/**"]}`)
	indexed("a later global file", "main.go", "private/a.go")
	check(t, os.Remove(global))
	indexed("without a global file", "main.go", "private/a.go", "tmp/b.go")
	rewrite("exclude", []string{"main.go"})
	indexed("the project's own", "private/a.go", "tmp/b.go")
	rewrite("lazyIdleThreshold", "long")
	w.await("the warning in the project's log", func() bool {
		return strings.Contains(w.mustCLI("logs", "--project", root), "lazyIdleThreshold must be a whole number above 0")
	})
}
