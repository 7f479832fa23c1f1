//go:build !linux && !windows

package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/host/machine"
)

// startAttached starts a process, which ends when its input does. macOS can't limit the memory of another process: a
// worker limits its own (Watch), and others are limited by time.
func startAttached(cmd *exec.Cmd, background bool, _ Limits) (release func(), err error) {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return nil, err
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}, cmd.Start()
}

// stopped returns false: it is implemented only on Linux.
func stopped(int) bool { return false }
