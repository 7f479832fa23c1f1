//go:build linux

package e2e

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// offlineEnv is set in the process that runs without a network.
const offlineEnv = "SEARCH_MCP_E2E_OFFLINE"

// doneWithoutNetwork runs a test in a new process without any network, not even loopback. It returns false in that
// process, and if the system can't isolate a process.
func doneWithoutNetwork(t *testing.T) bool {
	if os.Getenv(offlineEnv) != "" {
		wantOffline(t)
		return false
	}
	self, err := os.Executable()
	check(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), offlineEnv+"=1", binEnv+"="+bin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if uid, gid := os.Getuid(), os.Getgid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.ENOSYS) {
		if os.Getenv("CI") != "" {
			t.Fatalf("a network namespace is refused: %v", err)
		}
		t.Logf("a network namespace is refused: %v", err)
		return false
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Fatalf("without a network: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	return true
}

// wantOffline checks that the process has no network.
func wantOffline(t *testing.T) {
	t.Helper()
	interfaces, err := net.Interfaces()
	check(t, err)
	for _, i := range interfaces {
		if i.Flags&net.FlagUp != 0 {
			t.Errorf("%s is up", i.Name)
		}
	}
	for _, address := range []string{"192.0.2.1:80", "127.0.0.1:80"} {
		// a documentation address (RFC 5737) and this computer
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			c.Close()
		}
		if !errors.Is(err, syscall.ENETUNREACH) {
			t.Errorf("%s: %v, want a network that can't be reached", address, err)
		}
	}
}
