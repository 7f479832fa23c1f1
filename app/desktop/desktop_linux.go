package desktop

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"
)

const busVar = "DBUS_SESSION_BUS_ADDRESS"

// runDirs is where logind puts each user's sockets, displays where X servers put theirs. Tests bring folders of their
// own.
var (
	runDirs  = "/run/user"
	displays = "/tmp/.X11-unix"
)

// bus finds the session bus and puts it where the tray looks for it. Only the goroutine of desktop.run calls it.
func bus() bool {
	if os.Getenv(desktopEnv) == "off" {
		return false
	}
	address := sessionBus()
	if address == "" {
		return false
	}
	return os.Setenv(busVar, address) == nil
}

func sessionBus() string {
	if a := os.Getenv(busVar); a != "" && a != "disabled:" {
		return a
	}
	socket := filepath.Join(runtimeDir(), "bus")
	if info, err := os.Stat(socket); err != nil || info.Mode()&os.ModeSocket == 0 {
		return ""
	}
	return "unix:path=" + socket
}

// runtimeDir is where the user's sockets are.
func runtimeDir() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(runDirs, strconv.Itoa(os.Getuid()))
}

// session returns the environment for a window; ok is false if there is no display to open one on.
func session() (env []string, ok bool) {
	switch os.Getenv(desktopEnv) {
	case "off":
		return nil, false
	case "environment": // the programs' own tests, which bring a desktop with them
		return environmentSession(os.Getenv("DISPLAY"))
	}
	run := filepath.Join(runDirs, strconv.Itoa(os.Getuid()))
	if env, ok := userSession(run); ok {
		return env, true
	}
	// The environment of an app that a bridge has started names no display.
	display := os.Getenv("DISPLAY")
	if !shown(display) {
		_, err := os.Stat(run)
		display = userDisplay(err != nil)
	}
	return environmentSession(display)
}

// userDisplay is the first display of the user, "" if there is none. Where there is no logind, X servers run as root;
// where there is, such a one shows the login screen.
func userDisplay(roots bool) string {
	var numbers []int
	sockets, _ := os.ReadDir(displays) // none: no displays
	for _, s := range sockets {
		number, err := strconv.Atoi(strings.TrimPrefix(s.Name(), "X"))
		info, gone := s.Info()
		if err != nil || gone != nil || info.Mode()&os.ModeSocket == 0 {
			continue
		}
		if owner := int(info.Sys().(*syscall.Stat_t).Uid); owner == os.Getuid() || roots && owner == 0 {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return ""
	}
	return ":" + strconv.Itoa(slices.Min(numbers))
}

// userSession is the person's own session, found by the user alone: the app may have been started by an editor, whose
// configuration says what is in the environment and might so move a question from the window to the client. A window's
// environment is then the service manager's, into which desktops put theirs when they start.
func userSession(run string) (env []string, ok bool) {
	address := "unix:path=" + filepath.Join(run, "bus")
	if info, err := os.Stat(filepath.Join(run, "bus")); err != nil || info.Mode()&os.ModeSocket == 0 {
		return nil, false
	}
	env = managerEnvironment(address)
	set := map[string]string{busVar: address, "XDG_RUNTIME_DIR": run}
	return with(env, set), shown(value(env, "DISPLAY"))
}

// environmentSession is the session that this program was started in, with the display given. A file that holds no key
// to a display is none of the session's.
func environmentSession(display string) (env []string, ok bool) {
	set := map[string]string{"DISPLAY": display}
	if a := sessionBus(); a != "" {
		set[busVar] = a
	}
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		set["XDG_RUNTIME_DIR"] = runtimeDir()
	}
	env = with(os.Environ(), set)
	keys, err := os.ReadFile(os.Getenv("XAUTHORITY"))
	if err != nil || !bytes.Contains(keys, []byte("MIT-MAGIC-COOKIE-1")) {
		env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, "XAUTHORITY=") })
	}
	return env, shown(display)
}

// value is that of a variable in an environment, "" if it has none.
func value(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// shown reports whether a display is there: a local one has a socket, one of another machine is believed.
func shown(display string) bool {
	number, local := strings.CutPrefix(display, ":")
	if !local {
		return display != ""
	}
	number, _, _ = strings.Cut(number, ".")
	_, err := os.Stat(filepath.Join(displays, "X"+number))
	return err == nil
}

// managerEnvironment asks the user's service manager for its environment; nothing where there is none.
func managerEnvironment(address string) []string {
	conn, err := dbus.Connect(address)
	if err != nil {
		return nil
	}
	defer conn.Close()
	var owned bool
	if conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.systemd1").Store(&owned) != nil ||
		!owned {
		return nil // asking by name would try to start one
	}
	v, err := conn.Object("org.freedesktop.systemd1",
		"/org/freedesktop/systemd1").GetProperty("org.freedesktop.systemd1.Manager.Environment")
	if err != nil {
		return nil
	}
	env, _ := v.Value().([]string)
	return env
}

// Detach gives a program a session of its own, so that it lives on when the app ends.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
