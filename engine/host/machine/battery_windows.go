package machine

import (
	"fmt"
	"unsafe"
)

type status struct {
	acLine, batteryFlag, batteryPercent, saver byte
	lifeTime, fullLifeTime                     uint32
}

var getSystemPowerStatus = kernel.NewProc("GetSystemPowerStatus")

// OnBattery reports whether the computer runs on battery power. It returns false if Windows does not know.
func OnBattery() (bool, error) {
	var s status
	if ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return false, fmt.Errorf("query power status: %w", err)
	}
	return s.acLine == 0, nil
}
