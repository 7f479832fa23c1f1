package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"searchmcp/engine/api"
)

func TestErrorNamesTheFolder(t *testing.T) {
	dir := t.TempDir()
	here, none := filepath.Join(dir, "here"), filepath.Join(dir, "none")
	if err := os.WriteFile(here, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		err  error
		want api.Code
	}{
		{&fs.PathError{Op: "open", Path: none, Err: syscall.EROFS}, api.PermissionDenied},
		{&fs.PathError{Op: "open", Path: here, Err: syscall.EROFS}, api.PermissionDenied},
		{&fs.PathError{Op: "open", Path: none, Err: syscall.EACCES}, api.PermissionDenied},
		{&fs.PathError{Op: "mkdir", Path: none, Err: syscall.EACCES}, api.PermissionDenied},
		{&os.LinkError{Op: "rename", Old: none, New: here, Err: syscall.EACCES}, api.PermissionDenied},
		{&fs.PathError{Op: "write", Path: here, Err: syscall.ENOSPC}, api.DiskFull},
		{&fs.PathError{Op: "open", Path: here, Err: syscall.EACCES}, ""},
		{&fs.PathError{Op: "lstat", Path: none, Err: syscall.EACCES}, ""},
		{&fs.PathError{Op: "open", Path: none, Err: syscall.ENOENT}, ""},
		{syscall.EROFS, ""},
	} {
		got := Error(fmt.Errorf("save: %w", test.err), "")
		if api.CodeOf(got) != test.want || !errors.Is(got, errors.Unwrap(test.err)) && test.want != "" {
			t.Errorf("%v: %v", test.err, got)
		}
	}
}
