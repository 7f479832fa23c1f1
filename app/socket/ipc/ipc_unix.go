//go:build unix

package ipc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// maxPath is the longest socket path: sun_path has 104 bytes on macOS and the BSDs and 108 on Linux, the closing NUL
// among them on some; one limit for all keeps addresses the same everywhere.
const maxPath = 103

// aliveTimeout bounds the question whether somebody listens at an address that we want; a listener on this machine
// answers in microseconds unless its queue is full.
const aliveTimeout = time.Second

// address is <dir>/run/app.sock, or for a long dir a hashed name in the user's runtime folder or in /tmp.
func address(dir string) (string, error) {
	if path := filepath.Join(dir, "run", "app.sock"); len(path) <= maxPath {
		return path, nil
	}
	return longAddress(dir, "/run/user", "/tmp")
}

// longAddress prefers the place where a socket is already: an app that was started before the person logged in (no
// runtime folder yet) must be found afterwards too.
func longAddress(dir, runUser, tmp string) (string, error) {
	uid := strconv.Itoa(os.Geteuid())
	name := shortHash(dir) + ".sock"
	places := []string{filepath.Join(tmp, "search-mcp-"+uid, name)}
	if owned(filepath.Join(runUser, uid)) {
		places = append([]string{filepath.Join(runUser, uid, "search-mcp", name)}, places...)
	}
	for _, path := range places {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSocket != 0 && ownerOf(info) == os.Geteuid() {
			return path, nil
		}
	}
	return places[0], nil
}

func owned(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && ownerOf(info) == os.Geteuid()
}

func ownerOf(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// privateDir makes dir, or checks that it is a real folder of ours that nobody else can write to, and takes it away
// from others' eyes if an earlier hand left it open. It returns the resolved path.
func privateDir(dir string) (string, error) {
	path, err := resolve(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", err
	}
	return path, checkDir(path)
}

func checkDir(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	switch perm := info.Mode().Perm(); {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder: %w", path, ErrUnsafe)
	case ownerOf(info) != os.Geteuid():
		return fmt.Errorf("folder %s: %w", path, ErrForeign)
	case perm&0o022 != 0:
		return fmt.Errorf("others can write to the folder %s (mode %04o; chmod 700 closes it): %w", path, perm, ErrUnsafe)
	case perm&0o077 != 0:
		return os.Chmod(path, 0o700)
	}
	return nil
}

// Listen serves address. The caller holds the data folder's Lock, so nobody else is about to. The socket's folder is
// made 0700 and checked, a socket that a dead app left behind is removed, anything else in the way is refused.
// Connections of other users are closed before anybody sees them. Closing the listener removes the socket.
func Listen(address string) (net.Listener, error) {
	if len(address) > maxPath {
		return nil, fmt.Errorf("listen on %s: %d bytes, a socket's path has at most %d", address, len(address), maxPath)
	}
	dir := filepath.Dir(address)
	// The folder is the last thing made here: that its parent is the data folder, the runtime folder or /tmp is address's.
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	if err := checkDir(dir); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	if err := clear(address); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	if err := os.Chmod(address, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", address, err), ln.Close())
	}
	made, err := os.Lstat(address)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", address, err), ln.Close())
	}
	return &listener{ln, made}, nil
}

// clear removes the socket of an app that is gone. It asks before it removes: what answers is alive.
func clear(address string) error {
	info, err := os.Lstat(address)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case ownerOf(info) != os.Geteuid():
		return fmt.Errorf("what lies there: %w", ErrForeign)
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("what lies there is no socket: %w", ErrUnsafe)
	}
	conn, err := net.DialTimeout("unix", address, aliveTimeout)
	if err == nil {
		return errors.Join(ErrInUse, conn.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return errors.Join(ErrInUse, err) // a full queue is a sign of life too
	}
	return os.Remove(address)
}

type listener struct {
	*net.UnixListener
	made fs.FileInfo // the socket
}

// Close ends listening. A socket that stands in the place of ours is another app's and stays.
func (l *listener) Close() error {
	if now, err := os.Lstat(l.Addr().String()); err != nil || !os.SameFile(l.made, now) {
		l.SetUnlinkOnClose(false)
	}
	return l.UnixListener.Close()
}

// Accept returns the next connection of this user.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		err = samePeer(conn)
		if err == nil {
			return conn, nil
		}
		slog.Warn("connection refused", "err", errors.Join(err, conn.Close()))
	}
}

// Dial connects to address once. ErrNotListening if there is nobody, ErrForeign if it is somebody else.
func Dial(ctx context.Context, address string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", address)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EAGAIN):
		return nil, fmt.Errorf("dial %s: %w", address, ErrNotListening)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("dial %s: %w", address, ErrForeign)
	case err != nil:
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	if err := samePeer(conn.(*net.UnixConn)); err != nil {
		return nil, errors.Join(fmt.Errorf("dial %s: %w", address, err), conn.Close())
	}
	return conn, nil
}

// PeerPID is the process at the other end of an accepted connection as the kernel knows it, 0 if it does not. The
// number may belong to another program by the time that somebody looks.
func PeerPID(conn net.Conn) int {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return 0
	}
	_, pid, err := peer(c)
	if err != nil {
		return 0
	}
	return pid
}

// samePeer asks the kernel who is at the other end. On a dialled connection that is the user who began to listen.
func samePeer(conn *net.UnixConn) error {
	uid, _, err := peer(conn)
	if err != nil {
		return fmt.Errorf("ask for the peer's user: %w", err)
	}
	if uid != os.Geteuid() {
		return fmt.Errorf("user %d is at the other end: %w", uid, ErrForeign)
	}
	return nil
}
