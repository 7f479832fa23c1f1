// Package disk says how much may still be written, and gives a write that failed the RFC's error.
//
// It must not know what is written.
package disk

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/shirou/gopsutil/v4/disk"

	"searchmcp/engine/api"
)

// ReserveBytes stays free whatever happens: a system whose disk is full to the last byte is worse than no index.
const ReserveBytes = 200 << 20

// Error gives a write below dir that failed for want of space, or because nothing may be written there, the RFC's error
// (6.2), and leaves every other as it is.
func Error(err error, dir string) error {
	switch {
	case api.CodeOf(err) != "":
		return err
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission) && strings.Contains(err.Error(), dir):
		return api.ErrUnwritable(dir, err)
	case !errors.Is(err, syscall.ENOSPC):
		return err
	}
	free, ferr := FreeBytes(dir)
	if ferr != nil {
		free = 0
	}
	return api.ErrDiskFull(ReserveBytes>>20, free>>20, err)
}

// FreeBytes returns what this user may still write to the file system that holds dir.
func FreeBytes(dir string) (int64, error) {
	u, err := disk.Usage(dir)
	if err != nil {
		return 0, err
	}
	return int64(u.Free), nil
}
