package machine

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getSystemTimes = kernel.NewProc("GetSystemTimes")

// readUsage: the system's kernel time includes its idle time (GetSystemTimes).
func readUsage() (usage, error) {
	var idle, system, user windows.Filetime
	ok, _, err := getSystemTimes.Call(uintptr(unsafe.Pointer(&idle)), uintptr(unsafe.Pointer(&system)),
		uintptr(unsafe.Pointer(&user)))
	if ok == 0 {
		return usage{}, fmt.Errorf("read processor times: %w", err)
	}
	own, err := OwnTime()
	if err != nil {
		return usage{}, err
	}
	all := span(system) + span(user)
	return usage{all: all.Seconds(), own: own.Seconds(), busy: (all - span(idle)).Seconds()}, nil
}

// OwnTime is the processor time of this process; Windows counts it in steps of 16 ms.
func OwnTime() (time.Duration, error) {
	var created, ended, system, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &system, &user); err != nil {
		return 0, fmt.Errorf("read own processor time: %w", err)
	}
	return span(system) + span(user), nil
}

// span is one in units of 100 ns.
func span(f windows.Filetime) time.Duration {
	return 100 * time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime))
}
