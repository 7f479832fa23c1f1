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
		var cred *unix.Xucred
		if cred, operr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); operr == nil {
			uid = int(cred.Uid)
		}
	})
	return uid, errors.Join(err, operr)
}
