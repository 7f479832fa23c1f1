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

// pipeBuffer is what the kernel keeps for each direction: one usual answer.
const pipeBuffer = 64 << 10

// dialTimeout bounds the wait for a free instance of a busy pipe.
const dialTimeout = 2 * time.Second

func userSID() (*windows.SID, error) {
	u, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("user of this process: %w", err)
	}
	return u.User.Sid, nil
}

// address names a pipe by user and folder; Windows compares file names without regard to case.
func address(dir string) (string, error) {
	sid, err := userSID()
	if err != nil {
		return "", err
	}
	return `\\.\pipe\search-mcp-` + sid.String() + "-" + shortHash(strings.ToLower(dir)), nil
}

// privateDir makes dir. Below the profile folder it inherits an access list for the user, SYSTEM and administrators.
func privateDir(dir string) (string, error) {
	path, err := resolve(dir)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, 0o700)
}

// Listen serves the pipe address. Its access list is protected: network logons are denied, this user has full access,
// nobody else any. go-winio creates the first instance exclusively, so a name that another process squats on is an
// error.
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
	for wine && err == nil && !occupyFirst(address) { // somebody was quicker, and waits for nothing: hang up on them
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

// wine: the program runs under Wine, as its tests do.
var wine = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil

// occupyFirst connects once and hangs up. go-winio's first instance only holds the name and is made in a way that has
// Windows let nobody connect to it. Wine does not know that way: the first client would talk to an instance that nobody
// reads.
func occupyFirst(address string) bool {
	name, err := windows.UTF16PtrFromString(address)
	if err != nil {
		return false
	}
	pipe, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
	return err == nil && windows.CloseHandle(pipe) == nil
}

// Dial connects to address once. ErrNotListening if there is nobody, ErrForeign if it is somebody else.
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

// PeerPID is the process at the other end of an accepted connection as the kernel knows it, 0 if it does not. The
// number may belong to another program by the time that somebody looks.
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

// sameOwner checks that the pipe was made by this user: anybody may make a pipe of any name that is free.
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
