package ipc

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peer returns who connected or, on a dialled connection, who began to listen. A process that the kernel does not name
// is 0.
func peer(conn *net.UnixConn) (uid, pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return -1, 0, err
	}
	uid = -1
	var operr error
	err = raw.Control(func(fd uintptr) {
		var cred *unix.Xucred
		if cred, operr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); operr == nil {
			uid = int(cred.Uid)
		}
		if n, err := unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID); err == nil {
			pid = n
		}
	})
	return uid, pid, errors.Join(err, operr)
}
