package watch

import (
	"log/slog"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var queryUnbiasedInterruptTime = windows.NewLazySystemDLL("kernel32.dll").NewProc("QueryUnbiasedInterruptTime")

// sleepClock compares the times since boot with and without sleep.
type sleepClock struct{}

func openClock(*slog.Logger) clock { return sleepClock{} }

func (sleepClock) sleptFor() time.Duration {
	var awake uint64 // in units of 100 ns
	if ok, _, _ := queryUnbiasedInterruptTime.Call(uintptr(unsafe.Pointer(&awake))); ok == 0 {
		return 0
	}
	return windows.DurationSinceBoot() - time.Duration(awake)*100
}

// resumed returns nil, because the clocks are compared periodically instead.
func (sleepClock) resumed() <-chan struct{} { return nil }

func (sleepClock) close() {}
