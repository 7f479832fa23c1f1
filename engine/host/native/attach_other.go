//go:build !linux && !windows

package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/host/machine"
)

// startAttached starts cmd without limits, because macOS can't limit a child process. A worker limits its own memory
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
