package hotkey

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

const patience = 20 * time.Second

// run starts a program of the desktop until the end of the test and returns the first line that it writes.
func run(t *testing.T, fd bool, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if fd {
		cmd.ExtraFiles = []*os.File{w}
	} else {
		cmd.Stdout = w
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("%s says nothing: %v", name, err)
	}
	return strings.TrimSpace(line)
}

// watching watches until the end of the test.
func watching(t *testing.T, env []string, shortcut string) (ready <-chan string, pressed <-chan bool,
	ended <-chan error) {
	t.Helper()
	s, err := Parse(shortcut)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	by, presses, end := make(chan string, 1), make(chan bool, 8), make(chan error, 1)
	go func() {
		end <- Watch(ctx, Options{Shortcut: s, App: "io.searchmcp.app", Title: "Search", Env: env,
			Ready: func(how string) { by <- how }, Pressed: func() { presses <- true }})
		close(end)
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case <-end:
		case <-time.After(patience):
			t.Error("Watch does not end")
		}
	})
	return by, presses, end
}

func wait[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf("no %s", what)
	}
	return v
}

// TestX11: under X11 the key is ours, with Caps Lock and Num Lock as well, and a second program does not get it.
func TestX11(t *testing.T) {
	if _, err := exec.LookPath("xdotool"); err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	display := ":" + run(t, true, "Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	env := []string{"DISPLAY=" + display}
	ready, pressed, _ := watching(t, env, "Ctrl+Alt+Space")
	if by := wait(t, "word of the X server", ready); by != ByX11 {
		t.Fatalf("by %q", by)
	}
	press := func(keys string) {
		t.Helper()
		cmd := exec.Command("xdotool", "key", keys)
		cmd.Env = append(os.Environ(), "DISPLAY="+display)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	press("ctrl+alt+space")
	wait(t, "press", pressed)
	press("Caps_Lock")
	press("ctrl+alt+space")
	wait(t, "press with Caps Lock", pressed)
	_, _, ended := watching(t, env, "Ctrl+Alt+Space")
	if err := wait(t, "refusal", ended); !errors.Is(err, ErrTaken) {
		t.Errorf("a second program: %v", err)
	}
	_, _, ended = watching(t, append(env, "WAYLAND_DISPLAY=wayland-0"), "Ctrl+Alt+Space")
	if err := wait(t, "refusal", ended); !errors.Is(err, ErrNone) {
		t.Errorf("under Wayland without a portal: %v", err)
	}
}

// fakePortal answers as a desktop's portal does.
type fakePortal struct {
	bus     *dbus.Conn
	deny    bool
	trigger chan string
}

func (p *fakePortal) answer(o map[string]dbus.Variant, from dbus.Sender,
	results map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	name := strings.NewReplacer(":", "", ".", "_").Replace(string(from))
	path := dbus.ObjectPath(portalPath + "/request/" + name + "/" + o["handle_token"].Value().(string))
	status := uint32(0)
	if p.deny {
		status = 1
	}
	if err := p.bus.Emit(path, requestIface+".Response", status, results); err != nil {
		return "", dbus.MakeFailedError(err)
	}
	return path, nil
}

// CreateSession and BindShortcuts are the portal's.
func (p *fakePortal) CreateSession(o map[string]dbus.Variant, from dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	return p.answer(o, from, map[string]dbus.Variant{"session_handle": dbus.MakeVariant("/session/1")})
}

func (p *fakePortal) BindShortcuts(session dbus.ObjectPath, shortcuts []struct {
	ID string
	O  map[string]dbus.Variant
}, _ string, o map[string]dbus.Variant, from dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	p.trigger <- shortcuts[0].O["preferred_trigger"].Value().(string)
	return p.answer(o, from, nil)
}

// TestPortal: where the desktop has the portal it is asked, and its word counts.
func TestPortal(t *testing.T) {
	address := run(t, false, "dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1")
	env := []string{"DBUS_SESSION_BUS_ADDRESS=" + address, "WAYLAND_DISPLAY=wayland-0"}
	_, _, ended := watching(t, env, "Ctrl+Alt+Space")
	if err := wait(t, "refusal", ended); !errors.Is(err, ErrNone) {
		t.Errorf("without a portal: %v", err)
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	p := &fakePortal{bus: bus, trigger: make(chan string, 2)}
	if err := bus.Export(p, portalPath, portalIface); err != nil {
		t.Fatal(err)
	}
	if _, err := prop.Export(bus, portalPath, prop.Map{portalIface: {"version": {Value: uint32(1)}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName(portalName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	ready, pressed, _ := watching(t, env, "Super+Shift+K")
	if by := wait(t, "word of the portal", ready); by != ByPortal {
		t.Fatalf("by %q", by)
	}
	if got := wait(t, "shortcut", p.trigger); got != "SHIFT+LOGO+k" {
		t.Errorf("trigger %q", got)
	}
	for _, id := range []string{"another", shortcutID} {
		if err := bus.Emit(portalPath, portalIface+".Activated", dbus.ObjectPath("/session/1"), id, uint64(7),
			map[string]dbus.Variant{}); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, "press", pressed)
	if len(pressed) > 0 {
		t.Error("another shortcut counts as ours")
	}
	p.deny = true
	_, _, ended = watching(t, env, "Ctrl+Alt+Space")
	if err := wait(t, "refusal", ended); !errors.Is(err, ErrTaken) {
		t.Errorf("denied: %v", err)
	}
}
