package app

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

// session returns the environment for a window; ok is false in a login without a screen.
func session() (env []string, ok bool) {
	return os.Environ(), os.Getenv(desktopEnv) != "off" && os.Getenv("SSH_CONNECTION") == ""
}

// detach gives a program a session of its own, so that it lives on when the app ends.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
