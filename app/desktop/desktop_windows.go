package desktop

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// prepareTray reports whether the tray can be shown, which is never the case in a service.
func prepareTray() bool {
	_, ok := session()
	return ok
}

// session returns the environment for the window. ok is false in session 0, in which Windows runs services.
func session() (env []string, ok bool) {
	var id uint32
	err := windows.ProcessIdToSessionId(windows.GetCurrentProcessId(), &id)
	return os.Environ(), os.Getenv(desktopEnv) != "off" && err == nil && id != 0
}

func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}
