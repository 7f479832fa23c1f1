package desktop

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"
)

const busVar = "DBUS_SESSION_BUS_ADDRESS"

// The sockets of logind, X servers and the system bus.
var (
	runDirs   = "/run/user"
	displays  = "/tmp/.X11-unix"
	systemBus = "unix:path=/run/dbus/system_bus_socket"
)

// prepareTray sets the environment's session bus address, which the tray needs. It reports whether it found an address.
func prepareTray() bool {
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

func runtimeDir() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(runDirs, strconv.Itoa(os.Getuid()))
}

// session returns the environment for the window, and whether the user has a desktop session. An X display without a
// window manager is not used.
func session() (env []string, ok bool) {
	mode := os.Getenv(desktopEnv)
	if mode == "off" {
		return nil, false
	}
	run := filepath.Join(runDirs, strconv.Itoa(os.Getuid()))
	env, managed := managerSession(run)
	own := os.Getenv("DISPLAY") // empty if a bridge started the app
	names := []string{activeDisplay(), value(env, "DISPLAY"), own}
	switch {
	case mode == "environment": // tests start their own desktop
		env, names = environment(), []string{own}
	case !managed:
		env = environment()
	}
	keys := keyFiles(env, run)
	compositor := composes(env)
	for _, name := range names {
		if name == "" {
			continue
		}
		if key, managed, err := examineWith(name, keys); err == nil && (managed || compositor) {
			return screen(env, name, key), true
		}
	}
	if mode != "environment" {
		_, err := os.Stat(run)
		for _, name := range userDisplays(err != nil) {
			if key, managed, err := examineWith(name, keys); err == nil && managed {
				return screen(env, name, key), true
			}
		}
	}
	return screen(env, "", ""), compositor
}

func screen(env []string, display, key string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, "XAUTHORITY=") })
	set := map[string]string{"DISPLAY": display}
	if key != "" {
		set["XAUTHORITY"] = key
	}
	return with(env, set)
}

// examineWith tries the key files in order until the X display accepts a key. It returns that file, and whether a
// window manager runs.
func examineWith(name string, files []string) (file string, managed bool, err error) {
	for _, from := range files {
		file, managed, err = examine(name, from)
		if !errors.Is(err, errKey) {
			break
		}
	}
	return file, managed, err
}

func keyFiles(env []string, run string) []string {
	list := []string{value(env, "XAUTHORITY")}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".Xauthority"))
	}
	for _, pattern := range []string{"gdm/Xauthority", "xauth_*", ".mutter-Xwaylandauth.*"} {
		found, _ := filepath.Glob(filepath.Join(run, pattern)) // the patterns are valid
		list = append(list, found...)
	}
	return list
}

func composes(env []string) bool {
	run := value(env, "XDG_RUNTIME_DIR")
	sockets, _ := filepath.Glob(filepath.Join(run, "wayland-*")) // the pattern is valid
	if name := value(env, "WAYLAND_DISPLAY"); filepath.IsAbs(name) {
		sockets = append(sockets, name)
	}
	return slices.ContainsFunc(sockets, func(socket string) bool {
		conn, err := net.DialTimeout("unix", socket, displayTime)
		return err == nil && conn.Close() == nil
	})
}

// userDisplays returns the X displays whose sockets belong to the user or, if roots is set, to root.
func userDisplays(roots bool) []string {
	var numbers []int
	sockets, _ := os.ReadDir(displays)
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
	slices.Sort(numbers)
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = ":" + strconv.Itoa(n)
	}
	return names
}

// managerSession returns the environment of the user's service manager, such as systemd. An editor may have changed the
// app's own environment.
func managerSession(run string) (env []string, ok bool) {
	socket := filepath.Join(run, "bus")
	if info, err := os.Stat(socket); err != nil || info.Mode()&os.ModeSocket == 0 {
		return nil, false
	}
	address := "unix:path=" + socket
	return with(managerEnvironment(address), map[string]string{busVar: address, "XDG_RUNTIME_DIR": run}), true
}

func environment() []string {
	set := map[string]string{}
	if a := sessionBus(); a != "" {
		set[busVar] = a
	}
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		set["XDG_RUNTIME_DIR"] = runtimeDir()
	}
	return with(os.Environ(), set)
}

func value(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

func activeDisplay() string {
	const login = "org.freedesktop.login1"
	ctx, cancel := context.WithTimeout(context.Background(), displayTime)
	defer cancel()
	conn := connect(ctx, systemBus, login)
	if conn == nil {
		return ""
	}
	defer conn.Close()
	var user dbus.ObjectPath
	var sessions []struct {
		ID   string
		Path dbus.ObjectPath
	}
	if conn.Object(login, "/org/freedesktop/login1").CallWithContext(ctx, login+".Manager.GetUser", 0,
		uint32(os.Getuid())).Store(&user) != nil || property(ctx, conn.Object(login, user), login+".User", "Sessions",
		&sessions) != nil {
		return ""
	}
	for _, s := range sessions {
		var active bool
		var name string
		at := conn.Object(login, s.Path)
		if property(ctx, at, login+".Session", "Active", &active) == nil && active &&
			property(ctx, at, login+".Session", "Display", &name) == nil && name != "" {
			return name
		}
	}
	return ""
}

func managerEnvironment(address string) (env []string) {
	const manager = "org.freedesktop.systemd1"
	ctx, cancel := context.WithTimeout(context.Background(), displayTime)
	defer cancel()
	conn := connect(ctx, address, manager)
	if conn == nil {
		return nil
	}
	defer conn.Close()
	if property(ctx, conn.Object(manager, "/org/freedesktop/systemd1"), manager+".Manager", "Environment", &env) != nil {
		return nil
	}
	return env
}

func connect(ctx context.Context, address, name string) *dbus.Conn {
	conn, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return nil
	}
	var owned bool
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, name).Store(&owned)
	if err != nil || !owned {
		conn.Close()
		return nil
	}
	return conn
}

func property(ctx context.Context, o dbus.BusObject, iface, name string, into any) error {
	var v dbus.Variant
	err := o.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, iface, name).Store(&v)
	if err != nil {
		return err
	}
	return v.Store(into)
}
