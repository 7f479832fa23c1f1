//go:build unix

package connect

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"searchmcp/engine/api"
)

// TestConfigurationThatIsAPipe checks that a pipe is refused without opening it, which would block.
func TestConfigurationThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	check(t, syscall.Mkfifo(path, 0o600))
	if data, err := readConfig(path); err == nil {
		t.Errorf("%q", data)
	}
}

// TestProgramIsChecked checks that an editor never gets a program that other users could replace.
func TestProgramIsChecked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "search-mcp")
	if _, err := Local(path); api.CodeOf(err) != CodeProgram {
		t.Errorf("a program that is not there: %v", err)
	}
	check(t, os.WriteFile(path, nil, 0o755))
	if m, err := Local(path); err != nil || m.Program != path {
		t.Errorf("a good program: %v", err)
	}
	for _, test := range []struct {
		path string
		mode os.FileMode
		ok   bool
	}{{path, 0o757, false}, {path, 0o775, true}, {dir, 0o707, false}, {dir, 0o707 | os.ModeSticky, true}} {
		info, err := os.Stat(test.path)
		check(t, err)
		check(t, os.Chmod(test.path, test.mode))
		if _, err := Local(path); (err == nil) != test.ok {
			t.Errorf("%s with %v: %v", test.path, test.mode, err)
		}
		check(t, os.Chmod(test.path, info.Mode()))
	}
	if _, err := Local(dir); api.CodeOf(err) != CodeProgram {
		t.Errorf("a folder: %v", err)
	}
}
