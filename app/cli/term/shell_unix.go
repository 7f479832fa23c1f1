//go:build !windows

package term

import "os/exec"

// shell runs the user's pager, which may have arguments.
func shell(command string) *exec.Cmd { return exec.Command("sh", "-c", command) }
