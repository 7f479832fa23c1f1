package tray

import (
	"fmt"

	"github.com/godbus/dbus/v5"
)

// probe reaches the session bus first: systray ends in a nil pointer where there is none. The connection is shared with
// it.
func probe() error {
	if _, err := dbus.SessionBus(); err != nil {
		return fmt.Errorf("connect to session bus: %w", err)
	}
	return nil
}
