//go:build unix

package client

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func leads(pid int) bool {
	sid, err := unix.Getsid(pid)
	return err == nil && sid == pid
}

// descends reports whether this process is an ancestor of pid, as editors that kill all descendants determine it.
func descends(t *testing.T, pid int) bool {
	t.Helper()
	for pid > 1 {
		out, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
		if err != nil {
			return true // an ancestor ended meanwhile: the caller retries
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(out)))
		check(t, err)
		if pid == os.Getpid() {
			return true
		}
	}
	return false
}
