package desktop

import (
	"bufio"
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

// TestDesktopIsTheUsers: whatever the environment says, which may be that of an editor's entry, the desktop is the one
// that the user is logged in to, and its window gets nothing of that environment.
func TestDesktopIsTheUsers(t *testing.T) {
	runDirs = t.TempDir()
	t.Cleanup(func() { runDirs = "/run/user" })
	run := filepath.Join(runDirs, strconv.Itoa(os.Getuid()))
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	manager(t, "unix:path="+filepath.Join(run, "bus"), []string{"DISPLAY=screen.example:0", "LANG=de_DE.UTF-8"})
	for name, set := range map[string]map[string]string{
		"nothing":             {},
		"a login over SSH":    {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"},
		"another display":     {"DISPLAY": "elsewhere.example:9", "XAUTHORITY": "/nonexistent"},
		"no display":          {"DISPLAY": ":99999"},
		"no bus":              {"DBUS_SESSION_BUS_ADDRESS": "disabled:"},
		"another bus":         {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"},
		"another runtime dir": {"XDG_RUNTIME_DIR": "/nonexistent"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []string{"DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
				"SSH_CONNECTION", desktopEnv} {
				t.Setenv(v, set[v])
			}
			env, ok := session()
			want := []string{"DISPLAY=screen.example:0", "LANG=de_DE.UTF-8", busVar + "=unix:path=" + run + "/bus",
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
		t.Error("a person can't switch it off")
	}
}

// TestDisplayIsTheUsers: where logind does not tell the user's session, neither a missing nor a wrong display in the
// environment hides the user's own, and a file that is no key to a display is not taken for one.
func TestDisplayIsTheUsers(t *testing.T) {
	runs, xs := runDirs, displays
	t.Cleanup(func() { runDirs, displays = runs, xs })
	runDirs, displays = t.TempDir(), t.TempDir()
	key, other := filepath.Join(displays, "key"), filepath.Join(displays, "other")
	for path, text := range map[string]string{key: "\x01\x00\x00\x02ab\x00\x012\x00\x12MIT-MAGIC-COOKIE-1\x00\x01x",
		other: "text"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name, display, xauthority, want string) {
		t.Helper()
		t.Setenv(desktopEnv, "")
		t.Setenv("DISPLAY", display)
		t.Setenv("XAUTHORITY", xauthority)
		env, ok := session()
		kept := slices.Contains(env, "XAUTHORITY="+xauthority)
		if got := value(env, "DISPLAY"); got != want || ok != (want != "") || kept != (xauthority == key) {
			t.Errorf("%s: display %q, shown %v, key kept %v", name, got, ok, kept)
		}
	}
	check("no display", "", "", "")
	for _, name := range []string{"X10", "X2"} {
		l, err := net.Listen("unix", filepath.Join(displays, name))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	check("an app that a bridge started", "", key, ":2")
	check("a display that is not there", ":55", other, ":2")
	check("a person's own", ":10.0", "/nonexistent", ":10.0")
	check("over the network", "screen.example:1", key, "screen.example:1")
	if os.Getuid() != 0 {
		return
	}
	for _, name := range []string{"X10", "X2"} { // those of another user
		if err := os.Lchown(filepath.Join(displays, name), 4242, -1); err != nil {
			t.Fatal(err)
		}
	}
	check("another user's", "", "", "")
}

// manager runs a session bus with a service manager on it that has an environment.
func manager(t *testing.T, address string, env []string) {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	cmd := exec.Command(daemon, "--session", "--nofork", "--print-address", "--address="+address)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_, err = prop.Export(conn, "/org/freedesktop/systemd1",
		prop.Map{"org.freedesktop.systemd1.Manager": {"Environment": {Value: env}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.systemd1", 0); err != nil {
		t.Fatal(err)
	}
}
