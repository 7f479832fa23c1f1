package watch

import (
	"time"

	"golang.org/x/sys/unix"
)

func sleptFor() time.Duration {
	var running, awake unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &running) != nil || unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil {
		return 0
	}
	return time.Duration(running.Nano() - awake.Nano())
}
