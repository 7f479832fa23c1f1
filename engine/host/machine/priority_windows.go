package machine

import (
	"fmt"

	"golang.org/x/sys/windows"
)

var (
	kernel            = windows.NewLazySystemDLL("kernel32.dll")
	getCurrentThread  = kernel.NewProc("GetCurrentThread")
	setThreadPriority = kernel.NewProc("SetThreadPriority")
)

const belowNormal = ^uintptr(0)

// LowerPriority lowers the priority of the calling thread, which must remain locked to its goroutine.
func LowerPriority() error {
	thread, _, _ := getCurrentThread.Call()
	if ok, _, err := setThreadPriority.Call(thread, belowNormal); ok == 0 {
		return fmt.Errorf("lower priority of thread: %w", err)
	}
	return nil
}
