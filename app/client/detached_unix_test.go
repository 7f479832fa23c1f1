//go:build unix

package client

import "golang.org/x/sys/unix"

// detached reports whether a process leads a session of its own.
func detached(pid int) bool {
	sid, err := unix.Getsid(pid)
	return err == nil && sid == pid
}
