package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

type session struct {
	key     string // path of the display's key
	t       *testing.T
	display string
	address string
	bus     *dbus.Conn
	items   chan item
}

type item struct {
	owner string
	path  dbus.ObjectPath
}

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemIface   = "org.kde.StatusNotifierItem"
	menuIface   = "com.canonical.dbusmenu"
)

func newSession(t *testing.T) *session {
	t.Helper()
	for _, tool := range []string{"dbus-daemon", "Xvfb", "openbox", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	s := &session{t: t, items: make(chan item, 8)}
	s.writeKey()
	s.startX()
	s.startBus()
	wm := exec.Command("openbox")
	wm.Env = append(os.Environ(), "DISPLAY="+s.display, "XAUTHORITY="+s.key, "HOME="+t.TempDir())
	s.start(wm)
	// Wait, because the app ignores a display without a window manager.
	await(t, "the window manager", func() bool {
		_, err := s.xdotool("get_desktop")
		return err == nil
	})
	return s
}

func (s *session) start(cmd *exec.Cmd) {
	s.t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(s.t, cmd.Start())
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill() // the process may have ended
		_ = cmd.Wait()
	})
}

// writeKey creates a key for the display, which keeps the programs of other tests away.
func (s *session) writeKey() {
	s.t.Helper()
	entry := binary.BigEndian.AppendUint16(nil, 65535) // FamilyWild
	for _, field := range []string{"", "", "MIT-MAGIC-COOKIE-1", rand.Text()[:16]} {
		entry = append(binary.BigEndian.AppendUint16(entry, uint16(len(field))), field...)
	}
	s.key = filepath.Join(s.t.TempDir(), "Xauthority")
	must(s.t, os.WriteFile(s.key, entry, 0o600))
}

func (s *session) startX() {
	s.t.Helper()
	r, w, err := os.Pipe()
	must(s.t, err)
	defer r.Close()
	// Without -noreset the server restarts after its last client, which ends a window manager that is connecting.
	args := []string{"-displayfd", "3", "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp",
		"+extension", "GLX", "-auth", s.key}
	cmd := exec.Command("Xvfb", args...)
	cmd.ExtraFiles = []*os.File{w}
	s.start(cmd)
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		s.t.Fatalf("Xvfb named no display: %v", err)
	}
	s.display = ":" + strings.TrimSpace(number)
}

func (s *session) startBus() {
	s.t.Helper()
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1")
	out, err := cmd.StdoutPipe()
	must(s.t, err)
	s.start(cmd)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.t.Fatalf("dbus-daemon named no address: %v", err)
	}
	s.address = strings.TrimSpace(line)
	s.bus, err = dbus.Connect(s.address)
	must(s.t, err)
	s.t.Cleanup(func() { _ = s.bus.Close() })
	must(s.t, s.bus.Export(watcher{s}, watcherPath, watcherName))
	if _, err := prop.Export(s.bus, watcherPath, prop.Map{watcherName: {
		"IsStatusNotifierHostRegistered": {Value: true},
		"ProtocolVersion":                {Value: int32(0)},
		"RegisteredStatusNotifierItems":  {Value: []string{}},
	}}); err != nil {
		s.t.Fatal(err)
	}
	if reply, err := s.bus.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		s.t.Fatalf("own %s: %v, %v", watcherName, reply, err)
	}
}

type watcher struct{ s *session }

// RegisterStatusNotifierItem accepts a bus name or an object path.
func (w watcher) RegisterStatusNotifierItem(service string, from dbus.Sender) *dbus.Error {
	it := item{owner: string(from), path: "/StatusNotifierItem"}
	if strings.HasPrefix(service, "/") {
		it.path = dbus.ObjectPath(service)
	} else {
		it.owner = service
	}
	w.s.items <- it
	return nil
}

func (watcher) RegisterStatusNotifierHost(string, dbus.Sender) *dbus.Error { return nil }

type tray struct {
	t    *testing.T
	item dbus.BusObject
	menu dbus.BusObject
}

func (s *session) tray() *tray {
	s.t.Helper()
	select {
	case it := <-s.items:
		tr := &tray{t: s.t, item: s.bus.Object(it.owner, it.path)}
		await(s.t, "the icon's menu", func() bool {
			v, err := tr.item.GetProperty(itemIface + ".Menu")
			if err != nil {
				return false
			}
			path, ok := v.Value().(dbus.ObjectPath)
			tr.menu = s.bus.Object(it.owner, path)
			return ok
		})
		return tr
	case <-time.After(patience):
		s.t.Fatal("no icon registered")
		return nil
	}
}

type entry struct {
	id      int32
	label   string
	visible bool
	entries []entry
}

type node struct {
	ID    int32
	Props map[string]dbus.Variant
	Kids  []dbus.Variant
}

func parse(n node) (entry, error) {
	e := entry{id: n.ID, visible: true}
	if v, ok := n.Props["label"]; ok {
		e.label, _ = v.Value().(string)
	}
	if v, ok := n.Props["visible"]; ok {
		e.visible, _ = v.Value().(bool)
	}
	for _, v := range n.Kids {
		var kid node
		if err := dbus.Store([]any{v.Value()}, &kid); err != nil {
			return e, err
		}
		sub, err := parse(kid)
		if err != nil {
			return e, err
		}
		e.entries = append(e.entries, sub)
	}
	return e, nil
}

func (e entry) find(labels ...string) *entry {
	if len(labels) == 0 {
		return &e
	}
	for _, sub := range e.entries {
		if sub.visible && sub.label == labels[0] {
			return sub.find(labels[1:]...)
		}
	}
	return nil
}

func (tr *tray) layout() entry {
	tr.t.Helper()
	var revision uint32
	var root node
	if err := tr.menu.Call(menuIface+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision,
		&root); err != nil {
		return entry{}
	}
	e, err := parse(root)
	must(tr.t, err)
	return e
}

func (tr *tray) sees(labels ...string) entry {
	tr.t.Helper()
	var found *entry
	await(tr.t, fmt.Sprintf("%q in the tray's menu", labels), func() bool {
		found = tr.layout().find(labels...)
		return found != nil
	})
	return *found
}

func (tr *tray) misses(labels ...string) {
	tr.t.Helper()
	await(tr.t, fmt.Sprintf("%q to go from the tray's menu", labels), func() bool {
		l := tr.layout()
		return l.find("Quit") != nil && l.find(labels...) == nil
	})
}

func (tr *tray) click(labels ...string) {
	tr.t.Helper()
	e := tr.sees(labels...)
	// Like a panel, don't wait for an answer, because the program may end on Quit first.
	if call := tr.menu.Call(menuIface+".Event", dbus.FlagNoReplyExpected, e.id, "clicked", dbus.MakeVariant(int32(0)),
		uint32(0)); call.Err != nil {
		tr.t.Fatal(call.Err)
	}
}

func (tr *tray) tooltip() string {
	tr.t.Helper()
	v, err := tr.item.GetProperty(itemIface + ".ToolTip")
	must(tr.t, err)
	parts, ok := v.Value().([]any) // (sa(iiay)ss), that is icon name, icon, title and text
	if !ok || len(parts) != 4 {
		tr.t.Fatalf("tooltip %v", v)
	}
	return fmt.Sprint(parts[2], parts[3])
}

// window waits for a window with title in its title and focuses it.
func (s *session) window(title string) string {
	s.t.Helper()
	id := ""
	defer func() {
		if s.t.Failed() {
			names, err := s.xdotool("search", "--name", ".", "getwindowname", "%@")
			s.t.Logf("windows: %q, %v", strings.Split(names, "\n"), err)
		}
	}()
	await(s.t, fmt.Sprintf("a window titled %q", title), func() bool {
		out, err := s.xdotool("search", "--name", title)
		ids := strings.Fields(out)
		if err != nil || len(ids) == 0 {
			return false
		}
		id = ids[0]
		_, err = s.xdotool("windowactivate", "--sync", id)
		return err == nil
	})
	return id
}

// reading is the time before an answer. It is longer than the half second in which a confirmation accepts no answer,
// because a busy machine draws late.
const reading = 1500 * time.Millisecond

// reply waits for a confirmation and presses keys, the last of which answers. It presses a key again if the window was
// drawn too late.
func (s *session) reply(title string, keys ...string) {
	s.t.Helper()
	s.window(title)
	<-time.After(reading)
	last := len(keys) - 1
	if last > 0 {
		s.keys(keys[:last]...)
		<-time.After(reading)
	}
	s.until(title+" to be answered", func() { s.keys(keys[last]) }, func() bool {
		_, err := s.xdotool("search", "--name", title)
		return err != nil
	})
}

// until calls do, and again if done is false after two seconds.
func (s *session) until(what string, do func(), done func() bool) {
	s.t.Helper()
	tries := 0
	await(s.t, what, func() bool {
		if tries++; tries%40 == 1 {
			do()
		}
		return done()
	})
}

func (s *session) keys(names ...string) {
	s.t.Helper()
	if out, err := s.xdotool(append([]string{"key", "--delay", "80"}, names...)...); err != nil {
		s.t.Fatalf("xdotool key %v: %v\n%s", names, err, out)
	}
}

func (s *session) xdotool(args ...string) (string, error) {
	cmd := exec.Command("timeout", append([]string{"10", "xdotool"}, args...)...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.display, "XAUTHORITY="+s.key)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		out = append(out, stderr.Bytes()...)
	}
	return string(out), err
}

// patience is the timeout for other processes, generous for a busy machine.
const patience = 5 * time.Minute

func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func logs(t *testing.T, dir string) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".log") {
			if f, err := os.Open(path); err == nil {
				defer f.Close()
				text, _ := io.ReadAll(io.LimitReader(f, 64<<10))
				t.Logf("%s:\n%s", path, text)
			}
		}
		return nil
	})
}
