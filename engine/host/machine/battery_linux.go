package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// OnBattery reports whether the computer runs on battery power. It returns false if the state is unknown.
func OnBattery() (bool, error) { return onBattery("/sys/class/power_supply") }

// onBattery ignores the batteries of devices such as a mouse, which Linux gives the scope "Device".
func onBattery(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("list power supplies: %w", err)
	}
	discharging := false
	for _, e := range entries {
		field := func(name string) string {
			text, err := os.ReadFile(filepath.Join(dir, e.Name(), name))
			if err != nil {
				return "" // the file is optional
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
