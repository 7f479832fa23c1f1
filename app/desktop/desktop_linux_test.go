package desktop

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

// places replaces the folders of sockets by empty ones, and disables logind.
func places(t *testing.T) (run string) {
	t.Helper()
	runs, xs, bus := runDirs, displays, systemBus
	t.Cleanup(func() { runDirs, displays, systemBus = runs, xs, bus })
	runDirs, displays, systemBus = t.TempDir(), t.TempDir(), "unix:path=/nonexistent"
	for _, v := range []string{desktopEnv, "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", busVar, "XDG_RUNTIME_DIR"} {
		t.Setenv(v, "")
	}
	t.Setenv("HOME", t.TempDir())
	return filepath.Join(runDirs, strconv.Itoa(os.Getuid()))
}

// server is an X server with two screens (root windows 100 and 200). It accepts key, or any client if key is "". A
// window manager runs on the screen managed.
func server(t *testing.T, l net.Listener, key string, managed uint32) {
	t.Helper()
	t.Cleanup(func() { l.Close() })
	screen := func(root uint32) []byte {
		b := make([]byte, 40)
		binary.LittleEndian.PutUint32(b, root)
		b[39] = 1 // depths, with one visual
		return append(append(b, 24, 0, 1, 0, 0, 0, 0, 0), make([]byte, 24)...)
	}
	data := make([]byte, 32, 300)
	data[16], data[20], data[21] = 3, 2, 1 // length of the vendor's name, screens, formats
	data = append(append(data, "abc\x00"...), make([]byte, 8)...)
	data = append(append(data, screen(100)...), screen(200)...)
	answer := func(conn net.Conn) {
		defer conn.Close()
		var head [12]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return
		}
		rest := make([]byte, (int(head[6])+3)/4*4+(int(head[8])+3)/4*4)
		if _, err := io.ReadFull(conn, rest); err != nil {
			return
		}
		if given := rest[(int(head[6])+3)/4*4:][:head[8]]; key != "" && string(given) != key {
			_, _ = conn.Write([]byte{0, 2, 11, 0, 0, 0, 1, 0, 'n', 'o', 0, 0}) // the client may have gone
			return
		}
		_, _ = conn.Write(append([]byte{1, 0, 11, 0, 0, 0, byte(len(data) / 4), 0}, data...))
		var request [8]byte
		if _, err := io.ReadFull(conn, request[:]); err != nil {
			return
		}
		reply := make([]byte, 44)
		reply[0] = 1
		if binary.LittleEndian.Uint32(request[4:]) == managed {
			reply[34] = 0x10
		}
		event := make([]byte, 32)
		event[0] = 22
		_, _ = conn.Write(append(event, reply...))
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go answer(conn)
		}
	}()
}

func socket(t *testing.T, name string) net.Listener {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(displays, name))
	check(t, err)
	return l
}

// keyFile writes a file with a key for a local display.
func keyFile(t *testing.T, path, number, key string) {
	t.Helper()
	host, err := os.Hostname()
	check(t, err)
	writeKey(t, path, 256, host, number, key) // FamilyLocal
}

func writeKey(t *testing.T, path string, family uint16, host, number, key string) {
	t.Helper()
	data := binary.BigEndian.AppendUint16(nil, family)
	for _, field := range []string{host, number, cookie, key} {
		data = append(binary.BigEndian.AppendUint16(data, uint16(len(field))), field...)
	}
	check(t, os.WriteFile(path, data, 0o600))
}

// TestDesktopIsTheUsers checks that the desktop is the user's login session, whatever the app's environment contains.
func TestDesktopIsTheUsers(t *testing.T) {
	run := places(t)
	check(t, os.Mkdir(run, 0o700))
	server(t, socket(t, "X4"), "", 200)
	server(t, socket(t, "X5"), "", 100)
	manager(t, "unix:path="+filepath.Join(run, "bus"), []string{"DISPLAY=:4.1", "LANG=de_DE.UTF-8"})
	for name, set := range map[string]map[string]string{
		"nothing":             {},
		"a login over SSH":    {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"},
		"another display":     {"DISPLAY": ":5", "XAUTHORITY": "/nonexistent"},
		"no display":          {"DISPLAY": ":99999"},
		"no bus":              {"DBUS_SESSION_BUS_ADDRESS": "disabled:"},
		"another bus":         {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"},
		"another runtime dir": {"XDG_RUNTIME_DIR": "/nonexistent"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []string{"DISPLAY", "XAUTHORITY", busVar, "XDG_RUNTIME_DIR", "SSH_CONNECTION"} {
				t.Setenv(v, set[v])
			}
			env, ok := session()
			want := []string{"DISPLAY=:4.1", "LANG=de_DE.UTF-8", busVar + "=unix:path=" + run + "/bus",
				"XDG_RUNTIME_DIR=" + run}
			slices.Sort(env)
			slices.Sort(want)
			if !ok || !slices.Equal(env, want) {
				t.Errorf("%v, %q", ok, env)
			}
		})
	}
	t.Setenv(desktopEnv, "off")
	if _, ok := session(); ok {
		t.Error("the user can't switch it off")
	}
}

// TestDisplayIsTheUsers checks that without a session in the service manager, a display counts if its server accepts a
// connection and a window manager runs on it, whatever the environment names.
func TestDisplayIsTheUsers(t *testing.T) {
	places(t)
	expect := func(name, display, xauthority, want, key string) {
		t.Helper()
		t.Setenv("DISPLAY", display)
		t.Setenv("XAUTHORITY", xauthority)
		env, ok := session()
		if got := value(env, "DISPLAY"); got != want || ok != (want != "") || value(env, "XAUTHORITY") != key {
			t.Errorf("%s: display %q, shown %v, key %q", name, got, ok, value(env, "XAUTHORITY"))
		}
	}
	dead := socket(t, "X0").(*net.UnixListener)
	dead.SetUnlinkOnClose(false)
	dead.Close()
	expect("a dead socket", "", "", "", "")
	expect("a dead socket that is named", ":0", "", "", "")
	server(t, socket(t, "X1"), "", 0)
	expect("a test's server", ":1", "", "", "")
	home := filepath.Join(os.Getenv("HOME"), ".Xauthority")
	server(t, socket(t, "X2"), "sesame", 100)
	expect("without the key", "", "", "", "")
	keyFile(t, home, "3", "sesame")
	expect("with another display's key", "", "", "", "")
	keyFile(t, home, "2", "sesame")
	expect("an app that a bridge started", "", "", ":2", home)
	other := filepath.Join(displays, "key")
	keyFile(t, other, "2", "guess")
	expect("a wrong key", "", other, ":2", home)
	expect("a display that is not there", ":55", "/nonexistent", ":2", home)
	expect("a dead display", ":0", "", ":2", home)
	server(t, socket(t, "X10"), "", 200)
	expect("the user's own", ":10.1", "", ":10.1", "")
	expect("its screen without a window manager", ":10.0", "", ":2", home)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	server(t, l, "sesame", 100)
	number := strconv.Itoa(l.Addr().(*net.TCPAddr).Port - 6000)
	keyFile(t, other, number, "sesame")
	expect("over SSH", "localhost:"+number, other, "localhost:"+number, other)
	t.Setenv(desktopEnv, "environment")
	expect("the environment's alone", ":0", "", "", "")
	expect("the environment's own", ":2", "", ":2", home)
	t.Setenv(desktopEnv, "")
	if os.Getuid() != 0 {
		return
	}
	check(t, os.Lchown(filepath.Join(displays, "X2"), 4242, -1))
	expect("another user's", "", "", "", "")
}

// TestCompositorIsADesktop checks that with a compositor the client is not asked, even if no window can be drawn.
func TestCompositorIsADesktop(t *testing.T) {
	places(t)
	run := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", run)
	l, err := net.Listen("unix", filepath.Join(run, "wayland-1"))
	check(t, err)
	defer l.Close()
	server(t, socket(t, "X3"), "", 0)
	if env, ok := session(); !ok || value(env, "DISPLAY") != "" {
		t.Errorf("%v, display %q of another's server", ok, value(env, "DISPLAY"))
	}
	t.Setenv("DISPLAY", ":3")
	if env, ok := session(); !ok || value(env, "DISPLAY") != ":3" {
		t.Errorf("%v, display %q", ok, value(env, "DISPLAY"))
	}
}

// TestActiveSessionWins checks that logind's active display takes precedence over the environment's.
func TestActiveSessionWins(t *testing.T) {
	places(t)
	for _, name := range []string{"X6", "X7", "X8"} {
		server(t, socket(t, name), "", 100)
	}
	systemBus = "unix:path=" + filepath.Join(t.TempDir(), "bus")
	conn := startBus(t, systemBus)
	type seat struct {
		ID   string
		Path dbus.ObjectPath
	}
	const login = "org.freedesktop.login1"
	export := func(path dbus.ObjectPath, iface string, properties map[string]any) {
		t.Helper()
		m := map[string]*prop.Prop{}
		for name, value := range properties {
			m[name] = &prop.Prop{Value: value}
		}
		if _, err := prop.Export(conn, path, prop.Map{iface: m}); err != nil {
			t.Fatal(err)
		}
	}
	export("/user", login+".User", map[string]any{"Sessions": []seat{{"1", "/ssh"}, {"2", "/left"}, {"3", "/seat"}}})
	export("/ssh", login+".Session", map[string]any{"Active": true, "Display": ""})
	export("/left", login+".Session", map[string]any{"Active": false, "Display": ":6"})
	export("/seat", login+".Session", map[string]any{"Active": true, "Display": ":8"})
	check(t, conn.Export(logind{}, "/org/freedesktop/login1", login+".Manager"))
	if _, err := conn.RequestName(login, 0); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISPLAY", ":7")
	if env, ok := session(); !ok || value(env, "DISPLAY") != ":8" {
		t.Errorf("%v, display %q", ok, value(env, "DISPLAY"))
	}
}

// logind is the part of logind that reports users.
type logind struct{}

func (logind) GetUser(uint32) (dbus.ObjectPath, *dbus.Error) { return "/user", nil }

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	check(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
}

// manager runs a session bus with a service manager whose environment is env.
func manager(t *testing.T, address string, env []string) {
	t.Helper()
	conn := startBus(t, address)
	_, err := prop.Export(conn, "/org/freedesktop/systemd1",
		prop.Map{"org.freedesktop.systemd1.Manager": {"Environment": {Value: env}}})
	check(t, err)
	if _, err := conn.RequestName("org.freedesktop.systemd1", 0); err != nil {
		t.Fatal(err)
	}
}

func startBus(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	cmd := exec.Command(daemon, "--session", "--nofork", "--print-address", "--address="+address)
	out, err := cmd.StdoutPipe()
	check(t, err)
	run(t, cmd)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	conn, err := dbus.Connect(address)
	check(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}
