package ipc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

const pipeBuffer = 64 << 10

const dialTimeout = 2 * time.Second

func userSID() (*windows.SID, error) {
	u, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("user of this process: %w", err)
	}
	return u.User.Sid, nil
}

// address returns the name of the pipe for dir. It ignores the case of dir.
func address(dir string) (string, error) {
	sid, err := userSID()
	if err != nil {
		return "", err
	}
	return `\\.\pipe\search-mcp-` + sid.String() + "-" + shortHash(strings.ToLower(dir)), nil
}

// privateDir creates dir and returns its resolved path. The folder inherits an ACL for the user, SYSTEM and
// administrators.
func privateDir(dir string) (string, error) {
	path, err := ownFolder(dir)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, 0o700)
}

// Removed always returns false, because a pipe can't be removed.
func Removed(string) bool { return false }

// Listen listens on a pipe to which only this user can connect, and only from this computer.
func Listen(address string) (net.Listener, error) {
	sid, err := userSID()
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	config := &winio.PipeConfig{
		SecurityDescriptor: fmt.Sprintf("O:%sD:P(D;;GA;;;NU)(A;;GA;;;%s)", sid, sid),
		InputBufferSize:    pipeBuffer,
		OutputBufferSize:   pipeBuffer,
	}
	ln, err := winio.ListenPipe(address, config)
	for wine && err == nil && !occupyFirst(address) { // a client has taken the first instance
		if err = ln.Close(); err == nil {
			ln, err = winio.ListenPipe(address, config)
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		err = errors.Join(ErrInUse, err)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return ln, nil
}

// wine is true under Wine, in which the tests run.
var wine = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil

// occupyFirst connects to the first instance of the pipe, which go-winio never serves. Under Wine, a client could wait
// forever for this instance.
func occupyFirst(address string) bool {
	name, err := windows.UTF16PtrFromString(address)
	if err != nil {
		return false
	}
	pipe, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
	return err == nil && windows.CloseHandle(pipe) == nil
}

func Dial(ctx context.Context, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, err := winio.DialPipeContext(ctx, address)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("dial %s: %w", address, ErrNotListening)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("dial %s: %w", address, ErrForeign)
	case err != nil:
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	if err := sameOwner(conn); err != nil {
		return nil, errors.Join(fmt.Errorf("dial %s: %w", address, err), conn.Close())
	}
	return conn, nil
}

func PeerPID(conn net.Conn) int {
	f, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	var pid uint32
	if err := windows.GetNamedPipeClientProcessId(windows.Handle(f.Fd()), &pid); err != nil {
		return 0
	}
	return int(pid)
}

// sameOwner returns an error if the pipe belongs to another user, who may have created a pipe with this name first.
func sameOwner(conn net.Conn) error {
	f, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return fmt.Errorf("the pipe has no handle: %w", ErrUnsafe)
	}
	pipe := windows.Handle(f.Fd())
	desc, err := windows.GetSecurityInfo(pipe, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("owner of the pipe: %w", err)
	}
	owner, _, err := desc.Owner()
	if err != nil {
		return fmt.Errorf("owner of the pipe: %w", err)
	}
	sid, err := userSID()
	if err != nil {
		return err
	}
	if !owner.Equals(sid) {
		return fmt.Errorf("owner %s: %w", owner, ErrForeign)
	}
	return nil
}
