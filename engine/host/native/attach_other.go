//go:build !linux && !windows

package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/host/machine"
)

// startAttached starts a process. The end of its input is what ends it with this one. macOS bounds nobody's memory for
// others: a worker looks at its own (Watch), and time bounds the rest.
func startAttached(cmd *exec.Cmd, background bool, _ Limits) (release func(), err error) {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return nil, err
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}, cmd.Start()
}

// stopped is known on Linux only.
func stopped(int) bool { return false }
