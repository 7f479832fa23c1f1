package watch

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var queryUnbiasedInterruptTime = windows.NewLazySystemDLL("kernel32.dll").NewProc("QueryUnbiasedInterruptTime")

func sleptFor() time.Duration {
	var awake uint64 // in units of 100 ns
	if ok, _, _ := queryUnbiasedInterruptTime.Call(uintptr(unsafe.Pointer(&awake))); ok == 0 {
		return 0
	}
	return windows.DurationSinceBoot() - time.Duration(awake)*100
}
