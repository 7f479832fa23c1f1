package ipc

import "golang.org/x/sys/unix"

// process returns the name of a process, at most 16 bytes, and the PID of its parent.
func process(pid int) (name string, parent int) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", 0
	}
	return unix.ByteSliceToString(info.Proc.P_comm[:]), int(info.Eproc.Ppid)
}
