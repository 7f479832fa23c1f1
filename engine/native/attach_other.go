//go:build !linux && !windows

package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/machine"
)

// startAttached starts a process. The end of its input is what ends it with this one.
func startAttached(cmd *exec.Cmd, background bool) error {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return err
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd.Start()
}
