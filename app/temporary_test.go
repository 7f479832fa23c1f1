package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnTemporary checks that temporary files are in the data folder, and that the next start removes them.
func TestOwnTemporary(t *testing.T) {
	data := t.TempDir()
	left := filepath.Join(data, "tmp", "search-mcp-git-1", "objects")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	if err := ownTemporary(data, func(name, value string) error { named[name] = value; return nil }); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(data, "tmp"))
	if err != nil || len(entries) > 0 || len(named) == 0 {
		t.Errorf("left %v, %v; variables %v", entries, err, named)
	}
	for name, dir := range named {
		if dir != filepath.Join(data, "tmp") {
			t.Errorf("%s=%s", name, dir)
		}
	}
}
