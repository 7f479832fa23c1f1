//go:build unix

package serve

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is how long this process has kept processors busy.
func processorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
