package e2e

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestDataFolderIsDeleted: an app whose data folder is removed ends, and takes nothing from the one that comes after
// it.
func TestDataFolderIsDeleted(t *testing.T) {
	w := newWorld(t)
	w.mustCLI("projects")
	orphan := w.pid()
	if runtime.GOOS == "windows" {
		t.Skip("the app's own open files keep its folder from being removed there")
	}
	if err := os.RemoveAll(w.data); err != nil {
		t.Fatal(err)
	}
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
}

// TestNoPlaceToStart: doctor says that an app can't start where nothing can be written, instead of that all is well.
func TestNoPlaceToStart(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a folder that root can't write to is Linux's /proc/sys")
	}
	w := newWorld(t)
	w.env = append(w.env, "SEARCH_MCP_HOME=/proc/sys")
	if out, code := w.cli("doctor"); code == 0 || !strings.Contains(out, "it can't start") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// TestBridgesEnvironment: an editor's entry can't switch the desktop off, nor move it, for an app that every session
// shares.
func TestBridgesEnvironment(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the environment of a process is read from /proc")
	}
	w := newWorld(t)
	w.env = append(w.env, "DISPLAY=:55", "WAYLAND_DISPLAY=wayland-9")
	w.connect(w.home) // with desktopOff in its environment, as everything here
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", w.pid()))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(env), "SEARCH_MCP_HOME=") || strings.Contains(string(env), "SEARCH_MCP_DESKTOP") ||
		strings.Contains(string(env), "DISPLAY=") {
		t.Errorf("the app has %q", strings.Split(string(env), "\x00"))
	}
}
