package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"github.com/godbus/dbus/v5"

	"searchmcp/ui/present"
)

// Names in the XDG Desktop Portal specification (FileChooser, Request).
const (
	portalName     = "org.freedesktop.portal.Desktop"
	portalPath     = "/org/freedesktop/portal/desktop"
	portalOpen     = "org.freedesktop.portal.FileChooser.OpenFile"
	portalRequest  = "org.freedesktop.portal.Request"
	portalResponse = portalRequest + ".Response"
)

func (*machine) ChooseFolder(ctx context.Context, title string) (dir string, ok bool, err error) {
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return "", false, nil
	}
	defer bus.Close()
	signals := make(chan *dbus.Signal, 8) // godbus does not block if the channel is full
	bus.Signal(signals)
	// Subscribe before the call, because the response may arrive first. The request's path contains our bus name and a
	// token.
	token := "searchmcp" + rand.Text()
	name := strings.NewReplacer(":", "", ".", "_").Replace(bus.Names()[0])
	paths := []dbus.ObjectPath{dbus.ObjectPath(portalPath + "/request/" + name + "/" + token)}
	listen := func(path dbus.ObjectPath) error {
		return bus.AddMatchSignal(dbus.WithMatchObjectPath(path), dbus.WithMatchInterface(portalRequest),
			dbus.WithMatchMember("Response"))
	}
	if err := listen(paths[0]); err != nil {
		return "", false, nil
	}
	options := map[string]dbus.Variant{"handle_token": dbus.MakeVariant(token), "directory": dbus.MakeVariant(true),
		"modal": dbus.MakeVariant(true)}
	if home, err := os.UserHomeDir(); err == nil { // otherwise the dialog chooses its start folder
		options["current_folder"] = dbus.MakeVariant(append([]byte(home), 0))
	}
	var handle dbus.ObjectPath
	if err := bus.Object(portalName, portalPath).CallWithContext(ctx, portalOpen, 0, parent(), title,
		options).Store(&handle); err != nil {
		return "", false, nil
	}
	if handle != paths[0] { // portals before version 0.9 ignore the token
		paths = append(paths, handle)
		if err := listen(handle); err != nil {
			return "", true, fmt.Errorf("choose folder: %w", err)
		}
	}
	for {
		select {
		case <-ctx.Done():
			bus.Object(portalName, handle).Call(portalRequest+".Close", dbus.FlagNoReplyExpected)
			return "", true, ctx.Err()
		case s, open := <-signals:
			switch {
			case !open:
				return "", true, fmt.Errorf("choose folder: %w", dbus.ErrClosed)
			case s.Name == portalResponse && slices.Contains(paths, s.Path):
				dir, err = chosen(s.Body)
				return dir, true, err
			}
		}
	}
}

func parent() string {
	name := ""
	fyne.DoAndWait(func() {
		for _, w := range fyne.CurrentApp().Driver().AllWindows() {
			if n, ok := w.(driver.NativeWindow); ok && name == "" {
				n.RunNative(func(at any) {
					if x, ok := at.(driver.X11WindowContext); ok && x.WindowHandle != 0 {
						name = fmt.Sprintf("x11:%x", x.WindowHandle)
					}
				})
			}
		}
	})
	return name
}

func chosen(answer []any) (string, error) {
	var status uint32
	var results map[string]dbus.Variant
	if err := dbus.Store(answer, &status, &results); err != nil {
		return "", fmt.Errorf("choose folder: %w", err)
	}
	uris, _ := results["uris"].Value().([]string)
	if status != 0 || len(uris) == 0 {
		return "", nil
	}
	u, err := url.Parse(uris[0])
	if err != nil || u.Scheme != "file" {
		return "", fmt.Errorf("choose folder: %q is no folder of this computer", uris[0])
	}
	return u.Path, nil
}

func hideConsole(*exec.Cmd) {}

// reveal opens the folder, because few file managers can select a file.
func reveal(path string, dir bool) error {
	if !dir {
		path = filepath.Dir(path)
	}
	return openByDesktop(path)
}

func openByDesktop(path string) error { return start("xdg-open", path) }

const (
	noticeName = "org.freedesktop.Notifications"
	noticePath = "/org/freedesktop/Notifications"
	critical   = byte(2) // notifications of this urgency have no timeout
)

// Notify shows a notification. It accepts button presses only from the notification server.
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
	go func() { // runs until ctx ends, or the notification or bus is closed
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
