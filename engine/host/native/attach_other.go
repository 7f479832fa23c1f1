//go:build !linux && !windows

package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/host/machine"
)

// startAttached applies no limits, because macOS has no means to limit a child process. A worker limits its own memory
// with Watch.
func startAttached(cmd *exec.Cmd, background bool, _ Limits) (release func(), err error) {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return nil, err
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}, cmd.Start()
}

func stopped(int) bool { return false }
