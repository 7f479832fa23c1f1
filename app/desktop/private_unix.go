//go:build unix

package desktop

import (
	"fmt"
	"os/exec"
	"syscall"
)

// KeepPrivate restricts new files, including those of native libraries, to the user. It returns the previous umask for
// RestoreMask.
func KeepPrivate() (mask int) { return syscall.Umask(0o077) }

func RestoreMask(mask int) { syscall.Umask(mask) }

func command(mask int, program string, args ...string) *exec.Cmd {
	script := fmt.Sprintf(`umask %04o && exec "$0" "$@"`, mask)
	return exec.Command("/bin/sh", append([]string{"-c", script, program}, args...)...)
}

// Detach starts cmd in its own session, so that it outlives the app.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
