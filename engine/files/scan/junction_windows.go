package scan

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// throughJunctions resolves junctions and mounted volumes, which EvalSymlinks ignores. It keeps the letter of a mapped
// drive, which Windows would replace with the name of a server.
func throughJunctions(path string) (string, error) {
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeIrregular != 0 && !info.IsDir() {
			return finalPath(path)
		}
		if at == filepath.Dir(at) {
			return path, nil
		}
	}
}

func finalPath(path string) (string, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return "", err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, 0, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return "", &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = windows.CloseHandle(h) }()
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(h, &buf[0], uint32(len(buf)), 0)
	if err == nil && int(n) > len(buf) {
		err = windows.ERROR_INSUFFICIENT_BUFFER
	}
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", path, err)
	}
	return withoutPrefix(windows.UTF16ToString(buf[:n])), nil
}
