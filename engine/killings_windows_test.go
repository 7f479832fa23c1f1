package engine

import "golang.org/x/sys/windows"

var killings = map[string]func(pid int) error{
	"fault":      func(pid int) error { return end(pid, uint32(windows.STATUS_ACCESS_VIOLATION)) },
	"terminated": func(pid int) error { return end(pid, 1) },
}

func end(pid int, code uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.TerminateProcess(h, code)
}
