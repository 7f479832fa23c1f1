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

// work runs 300 million rounds, over half a second of CPU time, which the profiler samples fifty times on any machine.
// It allocates nothing, so the profile has no garbage collector.
//
//go:noinline
func work() (spun uint64) {
	for range 300_000_000 {
		spun = spun*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
	}
	return spun
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
	if work() == 0 {
		t.Fatal("no work was done")
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
	if !strings.Contains(raw, ".work") {
		t.Error("the functions are gone")
	}
	if strings.Contains(raw, root) || strings.Contains(raw, dir) {
		t.Error("the profile still names paths of this machine")
	}
	if err := run(t.Context(), out, nil); err == nil {
		t.Error("a profile of nothing")
	}
}

// The committed profile contains its functions and no home folder.
func TestCommittedProfile(t *testing.T) {
	raw := unpacked(t, "../../app/cmd/search-mcp-app/default.pgo")
	for _, function := range []string{"searchmcp/engine/index/chunk.parse",
		"searchmcp/engine/store/text.(*analyser).tokens",
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
