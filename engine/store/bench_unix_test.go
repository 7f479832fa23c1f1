//go:build unix

package store

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of this process.
func processorTime(b *testing.B) time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
