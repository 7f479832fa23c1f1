package tray

import (
	"fmt"

	"github.com/godbus/dbus/v5"
)

// probe returns an error if the session has no bus. Otherwise systray would dereference a nil pointer.
func probe() error {
	if _, err := dbus.SessionBus(); err != nil {
		return fmt.Errorf("connect to session bus: %w", err)
	}
	return nil
}
