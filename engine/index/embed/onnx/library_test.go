package onnx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"searchmcp/engine/index/embed"
)

// A process loads a library only once, so childEnv makes this program load one and report the result.
const childEnv = "SEARCH_MCP_TEST_LIBRARY"

func TestMain(m *testing.M) {
	if library := os.Getenv(childEnv); library != "" {
		os.Exit(tryLibrary(library))
	}
	os.Exit(m.Run())
}

func tryLibrary(library string) int {
	e, err := Open(context.Background(), Options{Library: library})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer e.Close()
	_, err = e.Query(context.Background(), "x")
	fmt.Println(errors.Is(err, embed.ErrLibrary), err)
	return 0
}

func TestBadLibrary(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "libonnxruntime.so")
	must(t, os.WriteFile(garbage, []byte("not a library"), 0o600))
	self, err := os.Executable()
	must(t, err)
	for name, path := range map[string]string{"missing": filepath.Join(dir, "none", "libonnxruntime.so"),
		"garbage": garbage, "another library": systemLibrary()} {
		t.Run(name, func(t *testing.T) {
			if path == "" {
				t.Skip("none known on this system")
			}
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), childEnv+"="+path)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil || !strings.HasPrefix(string(out), "true ") {
				t.Errorf("%s, error %v", out, err)
			}
		})
	}
}

func systemLibrary() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	for _, pattern := range []string{"/lib/*/libm.so.6", "/lib64/libm.so.6", "/usr/lib/libm.so.6"} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	return ""
}
