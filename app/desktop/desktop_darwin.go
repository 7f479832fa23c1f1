package desktop

import (
	"os"
	"syscall"
)

// bus reports whether the tray can be shown, which requires a desktop session.
func bus() bool {
	_, ok := session()
	return ok
}

// session returns the environment in which the window starts. ok is true if the user owns /dev/console. It ignores SSH
// variables, which may come from an editor.
func session() (env []string, ok bool) {
	if os.Getenv(desktopEnv) == "off" {
		return nil, false
	}
	var console syscall.Stat_t
	err := syscall.Stat("/dev/console", &console)
	return os.Environ(), err == nil && int(console.Uid) == os.Getuid()
}
