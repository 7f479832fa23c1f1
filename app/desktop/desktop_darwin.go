package desktop

import (
	"os"
	"os/exec"
	"syscall"
)

// bus reports whether there is a place for the icon: a login over SSH has none.
func bus() bool {
	_, ok := session()
	return ok
}

// session returns the environment for a window; ok is false while the person is not the one at the screen, who owns
// /dev/console. What an environment says of SSH may be an editor's.
func session() (env []string, ok bool) {
	if os.Getenv(desktopEnv) == "off" {
		return nil, false
	}
	var console syscall.Stat_t
	err := syscall.Stat("/dev/console", &console)
	return os.Environ(), err == nil && int(console.Uid) == os.Getuid()
}

// Detach gives a program a session of its own, so that it lives on when the app ends.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
