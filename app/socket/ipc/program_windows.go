package ipc

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func process(pid int) (name string, parent int) {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return "", 0
	}
	defer func() { _ = windows.CloseHandle(list) }() // ignore the error, because the handle was only read
	p := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err := windows.Process32First(list, &p); err == nil; err = windows.Process32Next(list, &p) {
		if p.ProcessID != uint32(pid) {
			continue
		}
		// The parent's PID may have been reused. A process that began later is not the parent.
		if by := int(p.ParentProcessID); began(by) != 0 && began(by) <= began(pid) {
			parent = by
		}
		return windows.UTF16ToString(p.ExeFile[:]), parent
	}
	return "", 0
}

func began(pid int) int64 {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(h) }() // ignore the error, because the handle was only read
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return created.Nanoseconds()
}
