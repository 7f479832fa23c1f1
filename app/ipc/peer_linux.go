package ipc

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

func peerUID(conn *net.UnixConn) (int, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return -1, err
	}
	uid, operr := -1, error(nil)
	err = raw.Control(func(fd uintptr) {
		var cred *unix.Ucred
		if cred, operr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); operr == nil {
			uid = int(cred.Uid)
		}
	})
	return uid, errors.Join(err, operr)
}
