package machine

import (
	"fmt"
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
	own, err := ownTime()
	if err != nil {
		return usage{}, err
	}
	all := seconds(system) + seconds(user)
	return usage{all: all, own: own, busy: all - seconds(idle)}, nil
}

// ownTime is the processor time of this process, in seconds; Windows counts it in steps of 16 ms.
func ownTime() (float64, error) {
	var created, ended, system, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &system, &user); err != nil {
		return 0, fmt.Errorf("read own processor time: %w", err)
	}
	return seconds(system) + seconds(user), nil
}

// seconds turns a span in units of 100 ns into seconds.
func seconds(f windows.Filetime) float64 {
	return float64(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) / 1e7
}
