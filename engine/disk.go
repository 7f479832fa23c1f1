package engine

import (
	"errors"
	"syscall"

	"searchmcp/engine/api"
	"searchmcp/engine/index"
)

// diskError gives a write that failed for want of space the RFC's error (6.2), and leaves every other as it is.
func diskError(err error, dir string) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	free, ferr := index.FreeBytes(dir)
	if ferr != nil {
		free = 0
	}
	return api.ErrDiskFull(index.ReserveBytes>>20, free>>20, err)
}
