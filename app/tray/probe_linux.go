package tray

import (
	"fmt"

	"github.com/godbus/dbus/v5"
)

// probe reaches the session bus first: systray ends in a nil pointer where there is none. The connection is shared with it.
func probe() error {
	if _, err := dbus.SessionBus(); err != nil {
		return fmt.Errorf("connect to session bus: %w", err)
	}
	return nil
}

// Host reports whether the desktop has a place for icons at the moment: GNOME without an extension has none.
func Host() bool {
	conn, err := dbus.SessionBus()
	if err != nil {
		return false
	}
	var owned bool
	err = conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&owned)
	return err == nil && owned
}
