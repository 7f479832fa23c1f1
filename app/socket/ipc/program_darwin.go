package ipc

import "golang.org/x/sys/unix"

// process returns the name (at most 16 bytes) and the parent's PID, or "" and 0.
func process(pid int) (name string, parent int) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", 0
	}
	return unix.ByteSliceToString(info.Proc.P_comm[:]), int(info.Eproc.Ppid)
}
