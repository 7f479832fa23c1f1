//go:build !windows

package term

import (
	"io"
	"os/exec"
)

// paints reports whether a terminal supports escape sequences.
func paints(io.Writer) bool { return true }

func shell(command string) *exec.Cmd { return exec.Command("sh", "-c", command) }
