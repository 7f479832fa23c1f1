package desktop

import (
	"os"
	"syscall"
)

// bus is false over SSH.
func bus() bool {
	_, ok := session()
	return ok
}

// session is ok if the user owns /dev/console. It ignores SSH variables, which may come from an editor.
func session() (env []string, ok bool) {
	if os.Getenv(desktopEnv) == "off" {
		return nil, false
	}
	var console syscall.Stat_t
	err := syscall.Stat("/dev/console", &console)
	return os.Environ(), err == nil && int(console.Uid) == os.Getuid()
}
