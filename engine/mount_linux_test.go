package engine

import (
	"syscall"
	"testing"
)

// mountSmall mounts a file system of its own for the test.
func mountSmall(t *testing.T, dir, size string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		return err
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return nil
}
