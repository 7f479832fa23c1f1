package desktop

import (
	"os"
	"syscall"
)

// bus reports whether an icon can be shown. Over SSH it can't.
func bus() bool {
	_, ok := session()
	return ok
}

// session returns the environment for a window. ok is false unless the user owns /dev/console. It does not check SSH
// variables, which may come from an editor.
func session() (env []string, ok bool) {
	if os.Getenv(desktopEnv) == "off" {
		return nil, false
	}
	var console syscall.Stat_t
	err := syscall.Stat("/dev/console", &console)
	return os.Environ(), err == nil && int(console.Uid) == os.Getuid()
}
