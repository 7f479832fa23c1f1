//go:build unix

package ipc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	check(t, err)
	return info.Mode().Perm()
}

func TestPermissions(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	data := filepath.Join(t.TempDir(), "data")
	in, err := Lock(data)
	check(t, err)
	defer in.Unlock()
	_, address := listen(t, data)
	for path, want := range map[string]os.FileMode{
		data: 0o700, filepath.Dir(address): 0o700, address: 0o600,
		filepath.Join(data, lockFile): 0o600, filepath.Join(data, ownerFile): 0o600,
	} {
		wantEqual(t, mode(t, path), want, "mode")
	}
}

func TestStaleSocket(t *testing.T) {
	data := t.TempDir()
	address, err := Address(data)
	check(t, err)
	ln, err := Listen(address)
	check(t, err)
	ln.(*listener).SetUnlinkOnClose(false) // leave the socket, as kill -9 does
	check(t, ln.Close())
	if _, err := Dial(context.Background(), address); !errors.Is(err, ErrNotListening) {
		t.Errorf("Dial of a stale socket = %v", err)
	}
	listen(t, data)
}

// TestLostFolder checks that an app whose data folder was removed detects it, and does not remove files of its
// successor.
func TestLostFolder(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	first, err := Lock(data)
	check(t, err)
	wantEqual(t, first.Lost(), false, "lost from the beginning")
	address, err := Address(data)
	check(t, err)
	orphan, err := Listen(address)
	check(t, err)
	check(t, os.RemoveAll(data))
	wantEqual(t, first.Lost(), true, "gone, and not lost")
	second, err := Lock(data)
	check(t, err)
	listen(t, data)
	if !first.Lost() || second.Lost() {
		t.Errorf("the first lost %v, the second %v", first.Lost(), second.Lost())
	}
	check(t, errors.Join(orphan.Close(), first.Unlock()))
	if h, locked, err := Locked(data); !locked || h.PID != os.Getpid() || err != nil {
		t.Errorf("the second's folder: %+v, %v, %v", h, locked, err)
	}
	conn, err := Dial(t.Context(), address)
	check(t, err)
	conn.Close()
	check(t, second.Unlock())
}

func TestUnsafePlaces(t *testing.T) {
	for name, prepare := range map[string]func(run, sock string) error{
		"folder is a link": func(run, _ string) error { return os.Symlink(os.TempDir(), run) },
		"folder is a file": func(run, _ string) error { return os.WriteFile(run, nil, 0o600) },
		"others may write": func(run, _ string) error { return errors.Join(os.Mkdir(run, 0o700), os.Chmod(run, 0o770)) },
		"a file is there": func(run, sock string) error {
			return errors.Join(os.Mkdir(run, 0o700), os.WriteFile(sock, []byte("precious"), 0o600))
		},
		"a link is there": func(run, sock string) error {
			return errors.Join(os.Mkdir(run, 0o700), os.Symlink("/dev/null", sock))
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			address, err := Address(data)
			check(t, err)
			check(t, prepare(filepath.Dir(address), address))
			ln, err := Listen(address)
			if err == nil {
				ln.Close()
			}
			if !errors.Is(err, ErrUnsafe) {
				t.Errorf("Listen = %v, want ErrUnsafe", err)
			}
			if name == "a file is there" {
				if text, err := os.ReadFile(address); err != nil || string(text) != "precious" {
					t.Errorf("the file in the way is %q, %v", text, err)
				}
			}
		})
	}
	t.Run("others may read", func(t *testing.T) {
		data := t.TempDir()
		run := filepath.Join(data, "run")
		check(t, os.Mkdir(run, 0o755))
		listen(t, data)
		wantEqual(t, mode(t, run), 0o700, "the folder has mode: mode")
	})
}

func TestLongAddress(t *testing.T) {
	tmp, runUser := t.TempDir(), t.TempDir()
	uid := fmt.Sprint(os.Geteuid())
	dir := "/data/" + strings.Repeat("long/", 40)
	inTmp, err := longAddress(dir, runUser, tmp)
	if err != nil || !strings.HasPrefix(inTmp, tmp) {
		t.Fatalf("without a runtime folder: %s, %v", inTmp, err)
	}
	ln, err := Listen(inTmp)
	check(t, err)
	check(t, os.Mkdir(filepath.Join(runUser, uid), 0o700))
	if got, _ := longAddress(dir, runUser, tmp); got != inTmp {
		t.Errorf("an app that listens is looked for in %s, not in %s", got, inTmp)
	}
	check(t, ln.Close())
	if got, _ := longAddress(dir, runUser, tmp); got != filepath.Join(runUser, uid, "search-mcp", filepath.Base(inTmp)) {
		t.Errorf("with a runtime folder: %s", got)
	}
}

// squatter is the UID of another user.
const squatter = 65534

// TestForeignUser lets another user's process listen at our address, and connect to us.
func TestForeignUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir, err := os.MkdirTemp("/tmp", "squat")
	check(t, err)
	defer os.RemoveAll(dir)
	check(t, os.Chown(dir, squatter, squatter))
	sock := filepath.Join(dir, "app.sock")
	stop := another(t, "listen", sock)
	if _, err := Dial(context.Background(), sock); !errors.Is(err, ErrForeign) {
		t.Errorf("Dial of another user's socket = %v, want ErrForeign", err)
	}
	if _, err := Listen(sock); !errors.Is(err, ErrForeign) {
		t.Errorf("Listen in another user's folder = %v, want ErrForeign", err)
	}
	stop()

	// Our socket with wider permissions still refuses other users and logs that.
	log, err := os.Create(filepath.Join(dir, "log"))
	check(t, err)
	defer log.Close()
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	defer slog.SetDefault(old)
	open, err := os.MkdirTemp("/tmp", "open")
	check(t, err)
	defer os.RemoveAll(open)
	ln, err := Listen(filepath.Join(open, "run", "app.sock"))
	check(t, err)
	defer ln.Close()
	for path, mode := range map[string]os.FileMode{open: 0o755, filepath.Join(open, "run"): 0o755,
		ln.Addr().String(): 0o666} {
		check(t, os.Chmod(path, mode))
	}
	accepted := make(chan net.Conn, 2)
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- conn
		}
	}()
	another(t, "dial", ln.Addr().String())() // returns when we have closed its connection
	mine, err := Dial(context.Background(), ln.Addr().String())
	check(t, err)
	defer mine.Close()
	(<-accepted).Close()
	wantEqual(t, len(accepted), 0, "another user's connection was accepted: accepted")
	if text, err := os.ReadFile(log.Name()); err != nil || !strings.Contains(string(text), "connection refused") ||
		!strings.Contains(string(text), fmt.Sprint("user ", squatter)) {
		t.Errorf("the log is %q, %v", text, err)
	}
}

// another runs this test binary as another user, which listens or dials.
func another(t *testing.T, what, path string) (stop func()) {
	t.Helper()
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip("no /proc here")
	}
	// The test binary's folder is private.
	exe := filepath.Join(os.TempDir(), fmt.Sprintf("ipc-another-%d", os.Getpid()))
	check(t, os.WriteFile(exe, self, 0o755))
	t.Cleanup(func() { os.Remove(exe) })
	cmd := exec.Command(exe)
	cmd.Env = []string{"IPC_TEST_ANOTHER=" + what, "IPC_TEST_PATH=" + path}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: squatter, Gid: squatter}}
	in, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ok\n" {
		t.Fatalf("the other user could not %s: %q, %v", what, line, err)
	}
	return func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the other user: %v", err)
		}
	}
}

func TestMain(m *testing.M) {
	path := os.Getenv("IPC_TEST_PATH")
	switch os.Getenv("IPC_TEST_ANOTHER") {
	case "listen":
		ln, err := net.Listen("unix", path)
		if err == nil {
			err = os.Chmod(path, 0o666)
		}
		report(err)
		os.Stdin.Read(make([]byte, 1))
		ln.Close()
		os.Exit(0)
	case "dial":
		conn, err := net.Dial("unix", path)
		if err == nil {
			if n, rerr := conn.Read(make([]byte, 1)); n != 0 || rerr == nil {
				err = errors.New("the connection was served")
			}
		}
		report(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func report(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ok")
}
