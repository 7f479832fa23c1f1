package desktop

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// bus reports whether there is a place for the icon: services have none.
func bus() bool {
	_, ok := session()
	return ok
}

// session returns the environment for a window; ok is false in session 0, where services run and nobody looks.
func session() (env []string, ok bool) {
	var id uint32
	err := windows.ProcessIdToSessionId(windows.GetCurrentProcessId(), &id)
	return os.Environ(), os.Getenv(desktopEnv) != "off" && err == nil && id != 0
}

// Detach keeps the end of the app from ending a program that it started.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}
