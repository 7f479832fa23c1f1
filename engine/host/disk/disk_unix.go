//go:build unix

package disk

import (
	"golang.org/x/sys/unix"
)

// FreeBytes returns what an unprivileged writer may still use of the file system that holds dir.
func FreeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
