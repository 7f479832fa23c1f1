package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

func unpacked(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestProfileKeepsFunctionsAndNoPaths(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "cpu.prof")
	f, err := os.Create(taken)
	if err != nil {
		t.Fatal(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		t.Fatal(err)
	}
	// the profiler looks a hundred times a second
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		bytes.Repeat([]byte{1}, 1<<20)
	}
	pprof.StopCPUProfile()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(goroot))
	if raw := unpacked(t, taken); !strings.Contains(raw, root) {
		t.Fatal("no path in the profile: nothing to take out")
	}
	out := filepath.Join(dir, "out", "default.pgo")
	if err := run(t.Context(), out, []string{taken, taken}); err != nil {
		t.Fatal(err)
	}
	raw := unpacked(t, out)
	if !strings.Contains(raw, "TestProfileKeepsFunctionsAndNoPaths") {
		t.Error("the functions are gone")
	}
	if strings.Contains(raw, root) || strings.Contains(raw, dir) {
		t.Error("the profile still names paths of this machine")
	}
	if err := run(t.Context(), out, nil); err == nil {
		t.Error("a profile of nothing")
	}
}

// What is committed names the functions that it is for, and nobody's home.
func TestCommittedProfile(t *testing.T) {
	raw := unpacked(t, "../../app/cmd/search-mcp-app/default.pgo")
	for _, function := range []string{"searchmcp/engine/chunk.parse", "searchmcp/engine/store/text.(*analyser).tokens",
		"vellum.(*Builder).Insert"} {
		if !strings.Contains(raw, function) {
			t.Errorf("%s is not in it", function)
		}
	}
	for _, folder := range []string{"/home/", "/root/", "/usr/", "/tmp/", "/Users/", "pkg/mod/"} {
		if strings.Contains(raw, folder) {
			t.Errorf("%s is in it", folder)
		}
	}
}
