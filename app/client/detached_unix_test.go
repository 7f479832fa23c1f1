//go:build unix

package client

import "golang.org/x/sys/unix"

// leads reports whether a process leads a session of its own.
func leads(pid int) bool {
	sid, err := unix.Getsid(pid)
	return err == nil && sid == pid
}
