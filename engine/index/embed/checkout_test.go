//go:build !release

package embed

import (
	"os"
	"path/filepath"
	"testing"
)

func TestModuleRoot(t *testing.T) {
	mine, other := t.TempDir(), t.TempDir()
	for dir, mod := range map[string]string{mine: "module searchmcp\n\ngo 1.26\n", other: "module searchmcpx\n"} {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := moduleRoot(filepath.Join(mine, "a", "b")); got != mine {
		t.Errorf("found %q", got)
	}
	if got := moduleRoot(other); got == other {
		t.Error("took another module")
	}
}
