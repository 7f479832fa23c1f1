//go:build !linux && !darwin && !windows

package machine

type unknown struct{}

// SystemBattery knows of none.
func SystemBattery() Battery { return unknown{} }

func (unknown) OnBattery() (bool, error) { return false, nil }
