package native

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"

	"searchmcp/engine/host/machine"
)

// startAttached starts cmd. The process inherits the priority of the calling thread, and the system kills it when that
// thread ends. The caller calls release after the process has exited.
func startAttached(cmd *exec.Cmd, background bool, l Limits) (release func(), err error) {
	if background {
		if err := machine.LowerPriority(); err != nil {
			return nil, err
		}
	}
	// Setpgid protects the process from interrupts in the terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := limit(cmd.Process.Pid, l); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, err
	}
	return func() {}, nil
}

// limit sets limits for the process pid before the process reads untrusted input.
func limit(pid int, l Limits) error {
	bounds := map[int]uint64{}
	if l.Memory > 0 {
		bounds[unix.RLIMIT_DATA] = uint64(l.Memory)
	}
	if l.Apart {
		bounds[unix.RLIMIT_FSIZE], bounds[unix.RLIMIT_CORE] = 0, 0
	}
	for resource, most := range bounds {
		err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
		if err != nil && err != unix.ESRCH { // ESRCH means that the process has exited
			return fmt.Errorf("limit process: %w", err)
		}
	}
	return nil
}

// stopped reports whether a signal or a debugger has stopped the process pid (state T or t, proc(5)).
func stopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return len(state) > 0 && (state[0] == 'T' || state[0] == 't')
}
