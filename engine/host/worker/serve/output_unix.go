//go:build !windows

package serve

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// output returns the file for frames. Text that libraries print to standard output goes to standard error instead.
func output() (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(unix.Stdout), unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = dup(unix.Stderr, unix.Stdout)
	}
	if err != nil {
		return nil, fmt.Errorf("redirect standard output: %w", err)
	}
	return os.NewFile(uintptr(fd), "frames"), nil
}
