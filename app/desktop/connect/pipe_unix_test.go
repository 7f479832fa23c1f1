//go:build unix

package connect

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestConfigurationThatIsAPipe: a pipe is refused without opening it, which would block.
func TestConfigurationThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	check(t, syscall.Mkfifo(path, 0o600))
	if data, err := readConfig(path); err == nil {
		t.Errorf("%q", data)
	}
}
