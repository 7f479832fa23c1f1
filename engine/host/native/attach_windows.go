package native

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// newJob returns a job object whose processes are killed when its handle is closed.
func newJob(memory int64) (windows.Handle, error) {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("make job: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		}}
	if memory > 0 {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		limits.JobMemoryLimit = uintptr(memory)
	}
	if _, err := windows.SetInformationJobObject(h, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(h)
		return 0, fmt.Errorf("make job: %w", err)
	}
	return h, nil
}

// startAttached starts cmd without a console and in its own job object. The caller calls release after the process has
// exited.
func startAttached(cmd *exec.Cmd, background bool, l Limits) (release func(), err error) {
	group, err := newJob(l.Memory)
	if err != nil {
		return nil, err
	}
	release = func() { _ = windows.CloseHandle(group) }
	flags := uint32(windows.CREATE_NO_WINDOW)
	if background {
		flags |= windows.BELOW_NORMAL_PRIORITY_CLASS
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: flags, HideWindow: true}
	if err := cmd.Start(); err != nil {
		release()
		return nil, err
	}
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(group, h)
		_ = windows.CloseHandle(h)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		release()
		return nil, fmt.Errorf("attach worker: %w", err)
	}
	return release, nil
}

func stopped(int) bool { return false }
