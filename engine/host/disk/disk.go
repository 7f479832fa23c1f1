// Package disk reports free disk space and maps errors of writes to the RFC's errors.
//
// It must not depend on the content of the writes.
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

// ReserveBytes is the disk space that always remains free, because a full disk is worse than a missing index.
const ReserveBytes = 200 << 20

// Error returns RFC 6.2's error if err shows that a write below dir failed for lack of space or permission, and
// otherwise err. If dir is "", Error uses the folder that err names.
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
	return api.ErrDiskFull(ReserveBytes>>20, free>>20, err)
}

// failedIn returns the folder in which a write failed with err. It returns "" if err names no path or if only reading
// failed.
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
			return "" // probably reading failed
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
