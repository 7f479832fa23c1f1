package desktop

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// bus is false for services.
func bus() bool {
	_, ok := session()
	return ok
}

// session is not ok in session 0 of services.
func session() (env []string, ok bool) {
	var id uint32
	err := windows.ProcessIdToSessionId(windows.GetCurrentProcessId(), &id)
	return os.Environ(), os.Getenv(desktopEnv) != "off" && err == nil && id != 0
}

func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}
