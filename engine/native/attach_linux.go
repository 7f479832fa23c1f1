package native

import (
	"os/exec"
	"syscall"

	"searchmcp/engine/machine"
)

// startAttached starts a process that the system kills when this thread ends. The thread is the caller's own; the
// child has its priority.
func startAttached(cmd *exec.Cmd, background bool) error {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return err
		}
	}
	// A group of its own keeps it from the terminal's interrupt, which is for the app to answer.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	return cmd.Start()
}
