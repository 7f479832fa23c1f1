package main

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"searchmcp/ui/present"
)

type notices struct{ shown chan [2]string }

type buttons struct{ notices }

func (buttons) GetCapabilities() ([]string, *dbus.Error) { return []string{"body", "actions"}, nil }

func (b buttons) CloseNotification(id uint32) *dbus.Error {
	b.shown <- [2]string{"closed", strconv.Itoa(int(id))}
	return nil
}

func TestNotificationsHaveButtons(t *testing.T) {
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	s := &session{t: t, items: make(chan item, 8)}
	s.startBus()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", s.address)
	pressed := make(chan string, 8)
	note := func(ctx context.Context) bool {
		return (&machine{}).Notify(ctx, present.Notice{Title: "Codex wants to index shop", Buttons: []present.NoticeButton{
			{ID: present.NoticeShow, Label: "Review…"}, {ID: present.NoticeNo, Label: "Don't index"}}},
			func(b string) { pressed <- b })
	}
	wantEqual(t, note(t.Context()), false, "a desktop without notifications has buttons")
	b := buttons{notices{make(chan [2]string, 8)}}
	s.own("org.freedesktop.Notifications", "/org/freedesktop/Notifications", b, "org.freedesktop.Notifications")
	ctx, end := context.WithCancel(t.Context())
	if !note(ctx) {
		t.Fatal("no buttons")
	}
	wantEqual(t, (<-b.shown)[0], "Codex wants to index shop", "result")
	other, err := dbus.Connect(s.address)
	must(t, err)
	defer other.Close()
	press := func(by *dbus.Conn, button string) {
		t.Helper()
		must(t, by.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked", uint32(1), button))
	}
	press(other, "forged")
	var names []string // waits until the bus has forwarded the signal
	must(t, other.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names))
	press(s.bus, present.NoticeNo)
	wantEqual(t, <-pressed, present.NoticeNo, "result")
	end()
	wantEqual(t, (<-b.shown)[0], "closed", "the notification stays")
	if !note(t.Context()) {
		t.Fatal("no buttons")
	}
	<-b.shown
	must(t, s.bus.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.NotificationClosed", uint32(1),
		uint32(1)))
	wantEqual(t, <-pressed, present.NoticeGone, "closed by the desktop")
}

// Notify shows a notification (Desktop Notifications Specification, 1.2).
func (n notices) Notify(_ string, _ uint32, _, title, text string, _ []string, _ map[string]dbus.Variant,
	_ int32) (uint32, *dbus.Error) {
	n.shown <- [2]string{title, text}
	return 1, nil
}

// chooser is a fake portal for file and folder dialogs. It sends each request for a folder on asked.
type chooser struct{ asked chan dbus.ObjectPath }

// OpenFile opens the dialog (XDG Desktop Portal, FileChooser). The path of the request contains the caller's name and
// token.
func (c chooser) OpenFile(sender dbus.Sender, _, _ string, options map[string]dbus.Variant) (dbus.ObjectPath,
	*dbus.Error) {
	token, _ := options["handle_token"].Value().(string)
	name := strings.NewReplacer(":", "", ".", "_").Replace(string(sender))
	request := dbus.ObjectPath("/org/freedesktop/portal/desktop/request/" + name + "/" + token)
	if folder, _ := options["directory"].Value().(bool); folder {
		c.asked <- request
	}
	return request, nil
}

func (s *session) portal() <-chan dbus.ObjectPath {
	s.t.Helper()
	c := chooser{make(chan dbus.ObjectPath, 8)}
	s.own("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", c, "org.freedesktop.portal.FileChooser")
	return c.asked
}

func (s *session) choose(request dbus.ObjectPath, dir string) {
	s.t.Helper()
	results := map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{(&url.URL{Scheme: "file", Path: dir}).String()})}
	must(s.t, s.bus.Emit(request, "org.freedesktop.portal.Request.Response", uint32(0), results))
}

func (s *session) own(name string, path dbus.ObjectPath, object any, iface string) {
	s.t.Helper()
	must(s.t, s.bus.Export(object, path, iface))
	if reply, err := s.bus.RequestName(name, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		s.t.Fatalf("own %s: %v, %v", name, reply, err)
	}
}

func (d *desk) open() string {
	d.t.Helper()
	d.tray.click("Open Search MCP")
	id := d.window("Search MCP")
	await(d.t, "the window to connect", func() bool { return d.windows() == 1 })
	return id
}

func TestFolderIsChosen(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asked := d.portal()
	root := d.project("cellar with 100 % c++")
	d.open()
	// The button "Index folder" is focused once the preview of a harmless folder is shown. Before that, Return
	// cancels the dialog, so the test repeats the round.
	const round, thought = 60, 30
	tries := 0
	await(t, "the folder to be indexed", func() bool {
		if tries%round == 0 {
			d.keys("ctrl+n")
		}
		if tries%round == thought {
			d.keys("Return")
		}
		tries++
		select {
		case request := <-asked:
			d.choose(request, root)
			tries = 1
		default:
		}
		return d.ready(root)
	})
}
