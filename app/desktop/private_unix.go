//go:build unix

package desktop

import (
	"fmt"
	"os/exec"
	"syscall"
)

// KeepPrivate makes every file that the process writes from now on the user's alone (0600, folders 0700), those of the
// native libraries included, which cannot be told a mode. It returns the mask that was: RestoreMask puts it back.
func KeepPrivate() (mask int) { return syscall.Umask(0o077) }

func RestoreMask(mask int) { syscall.Umask(mask) }

// command prepares a program of the person's own, whose files get the modes that are usual on this machine: an editor
// opened from the window must not write sources that a colleague can't read. The shell sets the mask and becomes the
// program.
func command(mask int, program string, args ...string) *exec.Cmd {
	script := fmt.Sprintf(`umask %04o && exec "$0" "$@"`, mask)
	return exec.Command("/bin/sh", append([]string{"-c", script, program}, args...)...)
}
