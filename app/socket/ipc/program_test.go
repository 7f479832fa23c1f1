package ipc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProgram checks that the kernel reports the executable, not the name that the process gives itself.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	check(t, err)
	got := Program(os.Getpid())
	name, by, _ := strings.Cut(got, ", started by ")
	if name == "" || !strings.HasPrefix(filepath.Base(self), name) || len(name) < 8 { // macOS keeps 16 bytes
		t.Errorf("%q for %s", got, self)
	}
	if by == "" || by == name {
		t.Errorf("%q: the parent is go test", got)
	}
	wantEqual(t, Program(1<<30), "an unknown program", "no process: Program")
}
