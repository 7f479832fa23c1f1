// Package disk reports free disk space and converts write errors to API errors.
//
// It must not depend on the written content.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/shirou/gopsutil/v4/disk"

	"searchmcp/engine/api"
)

const leastReserve, mostReserve = 20 << 20, 200 << 20 // in bytes

// Reserve returns the disk space that an index of size bytes leaves free. Other programs fail on a full disk, and the
// index needs space for merging files.
func Reserve(size int64) int64 { return min(leastReserve+size, mostReserve) }

// Error converts a write error to an *api.Error (RFC 6.2) if the disk is full or the folder dir is not writable. The
// default of dir is the folder in err. Other errors are returned unchanged.
func Error(err error, dir string) error {
	if dir == "" {
		dir = failedIn(err)
	}
	switch {
	case api.CodeOf(err) != "" || dir == "":
		return err
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission) && strings.Contains(err.Error(), dir):
		return api.ErrUnwritable(dir, err)
	case !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT):
		return err
	}
	free, ferr := FreeBytes(dir)
	if ferr != nil {
		free = 0
	}
	return api.ErrDiskFull(leastReserve>>20, free>>20, err)
}

func failedIn(err error) string {
	var link *os.LinkError
	if errors.As(err, &link) {
		return filepath.Dir(link.New)
	}
	var path *fs.PathError
	if !errors.As(err, &path) {
		return ""
	}
	if errors.Is(err, fs.ErrPermission) {
		_, lerr := os.Lstat(path.Path)
		created := path.Op == "open" && errors.Is(lerr, fs.ErrNotExist)
		if !created && !slices.Contains([]string{"mkdir", "remove", "unlinkat", "chmod"}, path.Op) {
			return "" // probably a failed read
		}
	}
	return filepath.Dir(path.Path)
}

func Writable(dir string) error {
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func FreeBytes(dir string) (int64, error) {
	u, err := disk.Usage(dir)
	if err != nil {
		return 0, err
	}
	return int64(u.Free), nil
}
