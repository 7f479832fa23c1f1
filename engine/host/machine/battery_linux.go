package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Documentation/ABI/testing/sysfs-class-power
type supplies string

func SystemBattery() Battery { return supplies("/sys/class/power_supply") }

// OnBattery ignores supplies of scope Device, such as a mouse.
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
				return "" // optional
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
