package ipc

import "golang.org/x/sys/unix"

// process is the name under which the kernel started a process, of 16 bytes at most, and the process that started it;
// "" and 0 where that is not known.
func process(pid int) (name string, parent int) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", 0
	}
	return unix.ByteSliceToString(info.Proc.P_comm[:]), int(info.Eproc.Ppid)
}
