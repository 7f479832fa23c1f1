package main

import (
	"context"
	"slices"

	"github.com/godbus/dbus/v5"

	"searchmcp/ui/present"
)

const (
	noticeName = "org.freedesktop.Notifications"
	noticePath = "/org/freedesktop/Notifications"
	critical   = byte(2) // urgency of notifications without a timeout
)

// Notify accepts button presses from the notification server only.
func (*machine) Notify(ctx context.Context, n present.Notice, pressed func(button string)) bool {
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return false
	}
	server := bus.Object(noticeName, noticePath)
	var can, buttons []string
	var id uint32
	if server.CallWithContext(ctx, noticeName+".GetCapabilities", 0).Store(&can) != nil ||
		!slices.Contains(can, "actions") ||
		bus.AddMatchSignal(dbus.WithMatchSender(noticeName), dbus.WithMatchInterface(noticeName)) != nil {
		_ = bus.Close()
		return false
	}
	var owner string
	_ = bus.BusObject().Call("org.freedesktop.DBus.GetNameOwner", 0, noticeName).Store(&owner)
	signals := make(chan *dbus.Signal, 8)
	bus.Signal(signals)
	for _, b := range n.Buttons {
		buttons = append(buttons, b.ID, b.Label)
	}
	hints := map[string]dbus.Variant{"urgency": dbus.MakeVariant(critical), "desktop-entry": dbus.MakeVariant(appID)}
	if server.CallWithContext(ctx, noticeName+".Notify", 0, "Search MCP", uint32(0), appID, n.Title, n.Text, buttons,
		hints, int32(0)).Store(&id) != nil {
		_ = bus.Close()
		return false
	}
	go func() { // ends with ctx, the notification or the bus
		defer bus.Close()
		invoked := false
		for {
			select {
			case <-ctx.Done():
				server.Call(noticeName+".CloseNotification", 0, id)
				return
			case s, open := <-signals:
				if !open {
					return
				}
				if s.Sender != owner || len(s.Body) < 2 || s.Body[0] != any(id) {
					continue
				}
				if button, is := s.Body[1].(string); is && s.Name == noticeName+".ActionInvoked" {
					invoked = true
					pressed(button)
				} else if s.Name == noticeName+".NotificationClosed" {
					if !invoked {
						pressed(present.NoticeGone)
					}
					return
				}
			}
		}
	}()
	return true
}

// noTray reports whether no program shows tray icons (StatusNotifierItem Specification).
func noTray() bool {
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return true
	}
	defer bus.Close()
	owned := false
	err = bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&owned)
	return err != nil || !owned
}
