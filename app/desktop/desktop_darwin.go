package desktop

import (
	"os"
	"syscall"
)

// prepareTray reports whether the tray can be shown, which requires a desktop session.
func prepareTray() bool {
	_, ok := session()
	return ok
}

// session returns the environment for the window. ok reports whether the user is logged in at the Mac's screen, and
// therefore owns /dev/console.
func session() (env []string, ok bool) {
	if os.Getenv(desktopEnv) == "off" {
		return nil, false
	}
	var console syscall.Stat_t
	err := syscall.Stat("/dev/console", &console)
	return os.Environ(), err == nil && int(console.Uid) == os.Getuid()
}
