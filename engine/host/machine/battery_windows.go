package machine

import (
	"fmt"
	"unsafe"
)

// SYSTEM_POWER_STATUS
type status struct {
	acLine, batteryFlag, batteryPercent, saver byte
	lifeTime, fullLifeTime                     uint32
}

var getSystemPowerStatus = kernel.NewProc("GetSystemPowerStatus")

// ACLineStatus 0 is offline, 255 unknown.
func OnBattery() (bool, error) {
	var s status
	if ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return false, fmt.Errorf("query power status: %w", err)
	}
	return s.acLine == 0, nil
}
