package ipc

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peer returns the process that connected or, on a dialled connection, that started to listen. pid is 0 if unknown.
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
