//go:build !windows

package native

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalOf returns the name of the signal that killed the process, or "". killed is true for SIGKILL, which Linux sends
// if memory runs out.
func signalOf(e *exec.ExitError) (name string, killed bool) {
	status, ok := e.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return "", false
	}
	return unix.SignalName(status.Signal()), status.Signal() == syscall.SIGKILL
}
