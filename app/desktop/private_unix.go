//go:build unix

package desktop

import (
	"fmt"
	"os/exec"
	"syscall"
)

// KeepPrivate makes all files that the process creates private to the user, including those of native libraries. It
// returns the previous umask for RestoreMask.
func KeepPrivate() (mask int) { return syscall.Umask(0o077) }

func RestoreMask(mask int) { syscall.Umask(mask) }

// command returns a command that runs program with the umask mask.
func command(mask int, program string, args ...string) *exec.Cmd {
	script := fmt.Sprintf(`umask %04o && exec "$0" "$@"`, mask)
	return exec.Command("/bin/sh", append([]string{"-c", script, program}, args...)...)
}

// Detach starts cmd in its own session, so that it outlives the app.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
