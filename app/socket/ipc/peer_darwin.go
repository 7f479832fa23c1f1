package ipc

import "golang.org/x/sys/unix"

// credentials returns the user and the PID of the peer. pid is 0 if it is unknown.
func credentials(fd int) (uid, pid int, err error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return -1, 0, err
	}
	if n, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID); err == nil {
		pid = n
	}
	return int(cred.Uid), pid, nil
}
