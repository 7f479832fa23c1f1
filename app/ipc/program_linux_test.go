package ipc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The kernel's word on who asks is the executable's, whatever the process calls itself.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got := Program(os.Getpid())
	if name, _, _ := strings.Cut(got, ", started by "); name != filepath.Base(self) || got == name {
		t.Errorf("%q for %s", got, self)
	}
	if got := Program(1 << 30); got != "an unknown program" {
		t.Errorf("no process: %q", got)
	}
}
