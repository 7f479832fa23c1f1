package tray

import (
	"fmt"

	"github.com/godbus/dbus/v5"
)

// probe connects to the session bus first, because systray dereferences a nil pointer without a bus. systray shares the
// connection.
func probe() error {
	if _, err := dbus.SessionBus(); err != nil {
		return fmt.Errorf("connect to session bus: %w", err)
	}
	return nil
}
