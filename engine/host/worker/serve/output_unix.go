//go:build !windows

package serve

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// output returns the standard output, for frames. It redirects the output of libraries to standard error, because it
// would corrupt the frames.
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
