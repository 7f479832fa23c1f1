//go:build unix

package files

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Free returns the bytes that an unprivileged writer may still use of the file system that holds dir.
func Free(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("ask for free disk space: %w", err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
