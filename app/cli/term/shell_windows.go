package term

import (
	"os/exec"
	"strings"
)

// shell runs the user's pager, which may have arguments.
func shell(command string) *exec.Cmd {
	fields := strings.Fields(command)
	return exec.Command(fields[0], fields[1:]...)
}
