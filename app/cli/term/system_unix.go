//go:build !windows

package term

import (
	"io"
	"os/exec"
)

// paints reports whether a terminal supports escape sequences; as all terminals on Unix do.
func paints(io.Writer) bool { return true }

// shell runs the user's pager, which may have arguments.
func shell(command string) *exec.Cmd { return exec.Command("sh", "-c", command) }
