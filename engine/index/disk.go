package index

import (
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
)

// An index takes about this much of the disk per byte of indexed text: text rows, terms and stored chunks, and the
// vectors of chunks of about 1,000 bytes (1,536 bytes each, once in the table and once in the cache).
const DiskPerByte = 4

// checkDiskFor refuses, before it begins, work whose result cannot fit (RFC 6.2, DISK_FULL). have is the size of the
// existing index.
func (a *Actor) checkDiskFor(textBytes, have int64) error {
	free, err := a.free()
	if err != nil {
		return fmt.Errorf("ask for free disk space: %w", err)
	}
	need := max(0, textBytes*DiskPerByte-have) + disk.ReserveBytes
	if free < need {
		return api.ErrDiskFull(need>>20, free>>20, nil)
	}
	return nil
}
