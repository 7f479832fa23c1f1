package ipc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAddress(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "real", "data")
	before, err := Address(data)
	check(t, err)
	check(t, os.MkdirAll(data, 0o700))
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Skip("no symbolic links here")
	}
	t.Chdir(dir)
	for _, spelling := range []string{data, filepath.Join(link, "data"), "real/data", data + "/", filepath.Join(dir, "x",
		"..", "real", "data")} {
		if got, err := Address(spelling); err != nil || got != before {
			t.Errorf("Address(%s) = %s, %v; want %s", spelling, got, err, before)
		}
	}
	if other, err := Address(filepath.Join(dir, "other")); err != nil || other == before {
		t.Errorf("Address of another folder = %s, %v", other, err)
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "xdg"))
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	for _, long := range []string{data, filepath.Join(dir, strings.Repeat("long", 40))} {
		with, err := Address(long)
		check(t, err)
		os.Clearenv()
		without, err := Address(long)
		if err != nil || with != without {
			t.Errorf("Address(%s) = %s, in an empty environment %s, %v", long, with, without, err)
		}
		if len(with) > 104 {
			t.Errorf("%s has %d bytes", with, len(with))
		}
	}
}

func TestDataDir(t *testing.T) {
	t.Setenv(DataEnv, "") // restored after the test
	os.Unsetenv(DataEnv)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	got, err := DataDir()
	if want := filepath.Join(home, ".mcp", "search"); err != nil || got != want {
		t.Errorf("DataDir = %s, %v; want %s", got, err, want)
	}
	os.Unsetenv("HOME")
	if got, err := DataDir(); err != nil || !filepath.IsAbs(got) {
		t.Errorf("DataDir without HOME = %s, %v", got, err)
	}
	t.Setenv("HOME", home)
	for name, text := range map[string]string{"full/x/a": "", "used/x": "", "used/app.lock": "",
		"partly/x": "", "partly/usage.json": "", "early/config.json": ""} {
		path := filepath.Join(home, name)
		check(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)))
	}
	for dir, want := range map[string]string{
		"~/data": filepath.Join(home, "data"), "~/used": filepath.Join(home, "used"), "~/early": filepath.Join(home, "early"),
		"~/partly": filepath.Join(home, "partly"),
		"":         "not an absolute path", "here": "not an absolute path", "./here": "not an absolute path",
		"~other/data": "not an absolute path", "$HOME/data": "not an absolute path",
		"~": "home folder", filepath.Join(home, "x", ".."): "home folder", filepath.VolumeName(home) + "/": "whole disk",
		filepath.Join(home, "none", "data"): "there is no folder", "~/used/x": "is a file",
		"~/used/x/y": "there is no folder",
		"~/full":     "other files, such as x",
	} {
		t.Setenv(DataEnv, dir)
		got, err := DataDir()
		if err == nil && got != want || err != nil && (!strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "new or empty folder")) {
			t.Errorf("DataDir of %q = %s, %v", dir, got, err)
		}
	}
	if _, err := Lock(filepath.Join(home, "full")); !errors.Is(err, ErrUnsafe) {
		t.Errorf("Lock of a folder with other files: %v", err)
	}
}

func listen(t *testing.T, data string) (net.Listener, string) {
	t.Helper()
	address, err := Address(data)
	check(t, err)
	ln, err := Listen(address)
	check(t, err)
	t.Cleanup(func() { ln.Close() })
	return ln, address
}

func TestDial(t *testing.T) {
	data := t.TempDir()
	address, err := Address(data)
	check(t, err)
	if _, err := Dial(context.Background(), address); !errors.Is(err, ErrNotListening) {
		t.Errorf("Dial without a listener = %v", err)
	}
	ln, _ := listen(t, data)
	accepted := make(chan error, 1)
	go func() { // a pipe connects only during an accept
		other, err := ln.Accept()
		if err == nil {
			err = other.Close()
		}
		accepted <- err
	}()
	conn, err := Dial(context.Background(), address)
	check(t, err)
	defer conn.Close()
	check(t, <-accepted)
	if _, err := Listen(address); !errors.Is(err, ErrInUse) {
		t.Errorf("second Listen = %v, want ErrInUse", err)
	}
}

func TestLock(t *testing.T) {
	data := filepath.Join(t.TempDir(), "new", "data")
	if _, locked, err := Locked(data); err != nil || locked {
		t.Errorf("Locked before = %v, %v", locked, err)
	}
	in, err := Lock(data)
	check(t, err)
	var locked *LockedError
	if _, err := Lock(data); !errors.As(err, &locked) || locked.Owner.PID != os.Getpid() ||
		!strings.Contains(err.Error(), "process") {
		t.Errorf("second Lock = %v", err)
	}
	if h, ok, err := Locked(data); err != nil || !ok || h.PID != os.Getpid() {
		t.Errorf("Locked = %+v, %v, %v", h, ok, err)
	}
	check(t, in.Unlock())
	if _, ok, err := Locked(data); err != nil || ok {
		t.Errorf("Locked afterwards = %v, %v", ok, err)
	}
	if in, err = Lock(data); err != nil {
		t.Fatalf("Lock again: %v", err)
	}
	check(t, in.Unlock())
}

// TestLockWhileProbed checks that an app can sign while a probe reads the Owner file of a killed app.
func TestLockWhileProbed(t *testing.T) {
	data := t.TempDir()
	killed, err := Lock(data)
	check(t, err)
	defer killed.Unlock()
	dir, err := resolve(data)
	check(t, err)
	probe, err := os.Open(filepath.Join(dir, ownerFile))
	check(t, err)
	closed := make(chan error, 1)
	time.AfterFunc(2*lockPause, func() { closed <- probe.Close() })
	check(t, killed.WriteOwner())
	check(t, <-closed)
}

func TestStarter(t *testing.T) {
	data := t.TempDir()
	release, ok, err := TryStarter(data)
	if err != nil || !ok {
		t.Fatalf("TryStarter = %v, %v", ok, err)
	}
	if _, ok, err := TryStarter(data); err != nil || ok {
		t.Errorf("second TryStarter = %v, %v", ok, err)
	}
	check(t, release())
	release, ok, err = TryStarter(data)
	if err != nil || !ok {
		t.Fatalf("TryStarter after release = %v, %v", ok, err)
	}
	check(t, release())
}

func TestMark(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	before := time.Now().Add(-time.Minute)
	if err := Quit.Clear(dir); err != nil || Quit.Since(dir, before) {
		t.Errorf("nothing to clear: %v", err)
	}
	check(t, Quit.Set(dir))
	if !Quit.Since(dir, before) || Quit.Since(dir, time.Now().Add(time.Minute)) {
		t.Error("the time of the mark has changed")
	}
	if err := Quit.Clear(dir); err != nil || Quit.Since(dir, before) {
		t.Errorf("after clearing: %v", err)
	}
	check(t, Restart.Set(dir))
	wantEqual(t, Restarting(dir), true, "the restart was not detected")
	old := time.Now().Add(-restartTime)
	check(t, os.Chtimes(filepath.Join(dir, string(Restart)), old, old))
	wantEqual(t, Restarting(dir), false, "a restart that failed is still waited for")
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}
