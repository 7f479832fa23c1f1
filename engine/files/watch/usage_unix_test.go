//go:build unix

package watch

import (
	"syscall"
	"time"
)

// usage returns the processor time of this process and the number of its voluntary context switches.
func usage() (time.Duration, int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Nvcsw)
}
