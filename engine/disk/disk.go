// Package disk says how much may still be written, and gives the end of it the RFC's error.
//
// It must not know what is written.
package disk

import (
	"errors"
	"syscall"

	"searchmcp/engine/api"
)

// ReserveBytes stays free whatever happens: a system whose disk is full to the last byte is worse than no index.
const ReserveBytes = 200 << 20

// Error gives a write below dir that failed for want of space the RFC's error (6.2), and leaves every other as it is.
func Error(err error, dir string) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	free, ferr := FreeBytes(dir)
	if ferr != nil {
		free = 0
	}
	return api.ErrDiskFull(ReserveBytes>>20, free>>20, err)
}
