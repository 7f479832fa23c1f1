package ipc

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peer returns the process that connected or, on a dialled connection, that started to listen.
func peer(conn *net.UnixConn) (uid, pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return -1, 0, err
	}
	uid = -1
	var operr error
	err = raw.Control(func(fd uintptr) {
		var cred *unix.Ucred
		if cred, operr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); operr == nil {
			uid, pid = int(cred.Uid), int(cred.Pid)
		}
	})
	return uid, pid, errors.Join(err, operr)
}
