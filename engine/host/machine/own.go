//go:build linux || darwin

package machine

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// ownTime is the processor time of this process, in seconds.
func ownTime() (float64, error) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0, fmt.Errorf("read own processor time: %w", err)
	}
	return (time.Duration(r.Utime.Nano()) + time.Duration(r.Stime.Nano())).Seconds(), nil
}
