package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// supplies is a folder with one folder per power supply (Linux, Documentation/ABI/testing/sysfs-class-power).
type supplies string

// SystemBattery asks the kernel.
func SystemBattery() Battery { return supplies("/sys/class/power_supply") }

// OnBattery is true while a battery of the computer discharges and no mains is online. A battery with scope Device is a
// mouse's or a keyboard's.
func (s supplies) OnBattery() (bool, error) {
	entries, err := os.ReadDir(string(s))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("list power supplies: %w", err)
	}
	discharging := false
	for _, e := range entries {
		field := func(name string) string {
			text, err := os.ReadFile(filepath.Join(string(s), e.Name(), name))
			if err != nil {
				return "" // a supply need not have every field, and may be unplugged meanwhile
			}
			return strings.TrimSpace(string(text))
		}
		switch {
		case field("scope") == "Device":
		case field("type") == "Battery":
			discharging = discharging || field("status") == "Discharging"
		case field("online") == "1":
			return false, nil
		}
	}
	return discharging, nil
}
