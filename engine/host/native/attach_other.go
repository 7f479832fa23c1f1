//go:build !linux && !windows

package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/host/machine"
)

// startAttached starts a process, which exits when its input ends. macOS can't limit the memory of another process. A
// worker limits its own memory (Watch), and only time limits other programs.
func startAttached(cmd *exec.Cmd, background bool, _ Limits) (release func(), err error) {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return nil, err
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}, cmd.Start()
}

// stopped returns false, because it is implemented only on Linux.
func stopped(int) bool { return false }
