package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"
)

// sessionVars are what a window needs of the session, in the environment of the user's service manager, into which desktops
// put it when they start.
var sessionVars = []string{
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_DATA_DIRS", "GDK_SCALE",
	"QT_SCALE_FACTOR", "LANG", "LANGUAGE",
}

const busVar = "DBUS_SESSION_BUS_ADDRESS"

// bus finds the session bus and puts it where the tray looks for it. Only the goroutine of desktop.run calls it.
func bus() bool {
	if os.Getenv(desktopEnv) == "off" {
		return false
	}
	address := busAddress()
	if address == "" {
		return false
	}
	return os.Setenv(busVar, address) == nil
}

func busAddress() string {
	if a := os.Getenv(busVar); a != "" && a != "disabled:" {
		return a
	}
	socket := filepath.Join(runtimeDir(), "bus")
	if info, err := os.Stat(socket); err != nil || info.Mode()&os.ModeSocket == 0 {
		return ""
	}
	return "unix:path=" + socket
}

// runtimeDir is where logind puts the user's sockets, whatever the environment says.
func runtimeDir() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return dir
	}
	return fmt.Sprintf("/run/user/%d", os.Getuid())
}

// session returns the environment for a window; ok is false if there is no display to open one on.
func session() (env []string, ok bool) {
	if os.Getenv(desktopEnv) == "off" {
		return nil, false
	}
	env = os.Environ()
	set := map[string]string{}
	if a := busAddress(); a != "" {
		set[busVar] = a
	}
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		set["XDG_RUNTIME_DIR"] = runtimeDir()
	}
	display := os.Getenv("DISPLAY")
	if display == "" && set[busVar] != "" {
		for name, value := range managerEnvironment(set[busVar]) {
			set[name] = value
		}
		display = set["DISPLAY"]
	}
	return with(env, set), shown(display)
}

// shown reports whether a display is there: a local one has a socket, one of another machine is believed.
func shown(display string) bool {
	number, local := strings.CutPrefix(display, ":")
	if !local {
		return display != ""
	}
	number, _, _ = strings.Cut(number, ".")
	_, err := os.Stat("/tmp/.X11-unix/X" + number)
	return err == nil
}

// managerEnvironment asks the user's service manager for its environment; nothing where there is none.
func managerEnvironment(address string) map[string]string {
	conn, err := dbus.Connect(address)
	if err != nil {
		return nil
	}
	defer conn.Close()
	var owned bool
	if conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.systemd1").Store(&owned) != nil || !owned {
		return nil // asking by name would try to start one
	}
	v, err := conn.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1").GetProperty("org.freedesktop.systemd1.Manager.Environment")
	if err != nil {
		return nil
	}
	list, ok := v.Value().([]string)
	if !ok {
		return nil
	}
	found := map[string]string{}
	for _, e := range list {
		name, value, _ := strings.Cut(e, "=")
		for _, wanted := range sessionVars {
			if name == wanted && value != "" {
				found[name] = value
			}
		}
	}
	return found
}

// detach gives a program a session of its own, so that it lives on when the app ends.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
