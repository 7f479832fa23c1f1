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
	var created, ended, ownSystem, ownUser windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &ownSystem, &ownUser); err != nil {
		return usage{}, fmt.Errorf("read own processor time: %w", err)
	}
	u := usage{all: seconds(system) + seconds(user), own: seconds(ownSystem) + seconds(ownUser)}
	u.busy = u.all - seconds(idle)
	return u, nil
}

// seconds turns a span in units of 100 ns into seconds.
func seconds(f windows.Filetime) float64 {
	return float64(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) / 1e7
}
