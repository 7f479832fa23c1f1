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

	"searchmcp/engine/api"
)

// maxPath is the maximum length of a socket's path. macOS allows 104 bytes with the final NUL.
const maxPath = 103

const aliveTimeout = time.Second // a local process accepts within microseconds

// address returns <dir>/run/app.sock. If that path is too long or dir is read-only, it returns a path in the runtime
// folder or /tmp.
func address(dir string) (string, error) {
	path := filepath.Join(dir, "run", "app.sock")
	if len(path) > maxPath {
		return longAddress(dir, "/run/user", "/tmp")
	}
	err := syscall.Access(filepath.Dir(path), accessWrite)
	if errors.Is(err, fs.ErrNotExist) {
		err = syscall.Access(dir, accessWrite)
	}
	readOnly := api.Unwritable(err)
	if !readOnly && mine(path, fs.ModeSocket) {
		return path, nil
	}
	other, err := longAddress(dir, "/run/user", "/tmp")
	switch {
	case err != nil:
		return "", err
	case readOnly && !answers(path), mine(other, fs.ModeSocket):
		return other, nil
	}
	return path, nil
}

const accessWrite = 2 // W_OK

func answers(path string) bool {
	conn, err := net.DialTimeout("unix", path, aliveTimeout)
	return err == nil && conn.Close() == nil
}

func Removed(address string) bool {
	_, err := os.Lstat(address)
	return errors.Is(err, fs.ErrNotExist)
}

// mine reports whether path has the given type and belongs to the user.
func mine(path string, kind fs.FileMode) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == kind && ownerOf(info) == os.Geteuid()
}

// longAddress returns a path with a hash of dir, in the user's runtime folder or else in tmp. An existing socket takes
// precedence.
func longAddress(dir, runUser, tmp string) (string, error) {
	uid := strconv.Itoa(os.Geteuid())
	name := shortHash(dir) + ".sock"
	places := []string{filepath.Join(tmp, "search-mcp-"+uid, name)}
	if mine(filepath.Join(runUser, uid), fs.ModeDir) {
		places = append([]string{filepath.Join(runUser, uid, "search-mcp", name)}, places...)
	}
	for _, path := range places {
		if mine(path, fs.ModeSocket) {
			return path, nil
		}
	}
	return places[0], nil
}

func ownerOf(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// privateDir creates dir, or checks its owner and removes other users' access. It returns the resolved path.
func privateDir(dir string) (string, error) {
	path, err := ownFolder(dir)
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

// Listen listens on the socket at address. The caller must have locked the data folder. Listen removes the socket of an
// app that has exited. The listener refuses other users, and its Close removes the socket.
func Listen(address string) (_ net.Listener, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("listen on %s: %w", address, err)
		}
	}()
	if len(address) > maxPath {
		return nil, fmt.Errorf("%d bytes, a socket's path has at most %d", len(address), maxPath)
	}
	dir := filepath.Dir(address)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := checkDir(dir); err != nil {
		return nil, err
	}
	if err := clear(address); err != nil {
		return nil, err
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"})
	if err != nil {
		return nil, err
	}
	err = os.Chmod(address, 0o600)
	made, serr := os.Lstat(address)
	if err = errors.Join(err, serr); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return &listener{ln, made}, nil
}

// clear removes the socket of an app that has exited. It returns ErrInUse if a process listens.
func clear(address string) error {
	info, err := os.Lstat(address)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case ownerOf(info) != os.Geteuid():
		return fmt.Errorf("the existing file: %w", ErrForeign)
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("the existing file is not a socket: %w", ErrUnsafe)
	}
	conn, err := net.DialTimeout("unix", address, aliveTimeout)
	if err == nil {
		return errors.Join(ErrInUse, conn.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return errors.Join(ErrInUse, err) // a process listens, but its accept queue may be full
	}
	return os.Remove(address)
}

type listener struct {
	*net.UnixListener
	made fs.FileInfo
}

// Close removes the socket if this listener created it.
func (l *listener) Close() error {
	if now, err := os.Lstat(l.Addr().String()); err != nil || !os.SameFile(l.made, now) {
		l.SetUnlinkOnClose(false)
	}
	return l.UnixListener.Close()
}

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

// Dial connects to the socket at address, without retries. It returns ErrNotListening if no process listens, and
// ErrForeign if the socket belongs to another user.
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

func peer(conn *net.UnixConn) (uid, pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return -1, 0, err
	}
	uid = -1
	var operr error
	err = raw.Control(func(fd uintptr) { uid, pid, operr = credentials(int(fd)) })
	return uid, pid, errors.Join(err, operr)
}

// PeerPID returns the PID of the peer, or 0 if it is unknown. The PID may have been reused.
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
