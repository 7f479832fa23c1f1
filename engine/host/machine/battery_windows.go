package machine

import (
	"fmt"
	"unsafe"
)

type powerStatus struct{}

func SystemBattery() Battery { return powerStatus{} }

// status is the Windows type SYSTEM_POWER_STATUS.
type status struct {
	acLine, batteryFlag, batteryPercent, saver byte
	lifeTime, fullLifeTime                     uint32
}

var getSystemPowerStatus = kernel.NewProc("GetSystemPowerStatus")

// OnBattery reports whether ACLineStatus is 0 (offline). 255 means unknown.
func (powerStatus) OnBattery() (bool, error) {
	var s status
	if ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return false, fmt.Errorf("query power status: %w", err)
	}
	return s.acLine == 0, nil
}
