package ipc

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// process is the file name of a process's executable and the process that started it; "" and 0 where that is not known.
func process(pid int) (name string, parent int) {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return "", 0
	}
	defer func() { _ = windows.CloseHandle(list) }() // only read
	p := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err := windows.Process32First(list, &p); err == nil; err = windows.Process32Next(list, &p) {
		if p.ProcessID != uint32(pid) {
			continue
		}
		// The parent's number outlives the parent and may be another process's by now, a younger one's.
		if by := int(p.ParentProcessID); began(by) != 0 && began(by) <= began(pid) {
			parent = by
		}
		return windows.UTF16ToString(p.ExeFile[:]), parent
	}
	return "", 0
}

// began is when a process was started, 0 where that is not known.
func began(pid int) int64 {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(h) }() // only read
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return created.Nanoseconds()
}
