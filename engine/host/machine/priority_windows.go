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

// belowNormal is THREAD_PRIORITY_BELOW_NORMAL, -1.
const belowNormal = ^uintptr(0)

// LowerPriority lowers the calling thread's priority. The caller must lock the thread to its goroutine and let it end
// with the goroutine.
func LowerPriority() error {
	thread, _, _ := getCurrentThread.Call() // it returns a constant
	if ok, _, err := setThreadPriority.Call(thread, belowNormal); ok == 0 {
		return fmt.Errorf("lower priority of thread: %w", err)
	}
	return nil
}
