package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
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

func TestProfileKeepsFunctionsAndNoPaths(t *testing.T) {
	_, here, _, _ := runtime.Caller(0)
	taken := filepath.Join(t.TempDir(), "taken.prof")
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(taken, profile.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(unpacked(t, taken), here) {
		t.Fatal("the profile contains no path to remove")
	}
	out := filepath.Join(t.TempDir(), "out", "default.pgo")
	if err := run(t.Context(), out, []string{taken, taken}); err != nil {
		t.Fatal(err)
	}
	raw := unpacked(t, out)
	if !strings.Contains(raw, "pgo.TestProfileKeepsFunctionsAndNoPaths") {
		t.Error("the functions are missing")
	}
	if strings.Contains(raw, filepath.Dir(here)) {
		t.Error("the profile contains paths of this machine")
	}
	if err := run(t.Context(), out, nil); err == nil {
		t.Error("no profiles were merged without an error")
	}
}

// TestCommittedProfile checks that the committed profile contains the app's functions and no paths.
func TestCommittedProfile(t *testing.T) {
	raw := unpacked(t, "../../cmd/search-mcp-app/default.pgo")
	for _, function := range []string{"searchmcp/engine/index/chunk.parse",
		"searchmcp/engine/store/text.(*analyser).tokens",
		"vellum.(*Builder).Insert"} {
		if !strings.Contains(raw, function) {
			t.Errorf("the profile does not contain %s", function)
		}
	}
	for _, folder := range []string{"/home/", "/root/", "/usr/", "/tmp/", "/Users/", "pkg/mod/"} {
		if strings.Contains(raw, folder) {
			t.Errorf("the profile contains %s", folder)
		}
	}
}
