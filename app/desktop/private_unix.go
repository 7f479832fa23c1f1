//go:build unix

package desktop

import (
	"fmt"
	"os/exec"
	"syscall"
)

// KeepPrivate makes all files that the process creates from now on private to the user (0600, folders 0700). That
// includes files of the native libraries, whose mode can't be set. It returns the previous umask for RestoreMask.
func KeepPrivate() (mask int) { return syscall.Umask(0o077) }

func RestoreMask(mask int) { syscall.Umask(mask) }

// command returns a command for a program of the user, with the user's normal umask, because an editor opened from the
// window must not create files that a colleague can't read. The shell sets the umask and execs the program.
func command(mask int, program string, args ...string) *exec.Cmd {
	script := fmt.Sprintf(`umask %04o && exec "$0" "$@"`, mask)
	return exec.Command("/bin/sh", append([]string{"-c", script, program}, args...)...)
}
