package serve

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const sandboxEnv = "SEARCH_MCP_TEST_SANDBOX"

func TestMain(m *testing.M) {
	switch os.Getenv(sandboxEnv) {
	case "heap":
		watch(time.Minute, mostHeap, takeMemory)
		os.Exit(0)
	case "":
	default:
		inSandbox()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const mostHeap = 64 << 20

func takeMemory() {
	var all [][]byte
	for range 10_000 {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = byte(i)
		}
		all = append(all, b)
	}
	fmt.Println(len(all), "MB")
}

// A reader ends at its own heap limit, even without a limit of the system.
func TestHeapIsWatched(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), sandboxEnv+"=heap")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != statusMemory || !strings.Contains(string(out), "out of memory") {
		t.Fatalf("%v: %.300s", err, out)
	}
	if most := exit.SysUsage().(*syscall.Rusage).Maxrss >> 10; most > 5*mostHeap>>20 {
		t.Errorf("it had %d MB", most)
	}
}

func inSandbox() {
	sandbox()
	for what, try := range map[string]func() error{
		"a file was read":     func() error { _, err := os.ReadFile("/etc/hostname"); return err },
		"a file was made":     func() error { return os.WriteFile(os.TempDir()+"/made", nil, 0o600) },
		"a file was removed":  func() error { return os.Remove("/tmp/nothing-here") },
		"a folder was listed": func() error { _, err := os.ReadDir("/"); return err },
		"a program was run":   func() error { return exec.Command("/bin/true").Run() },
		"a socket was made":   func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"a signal was sent":   func() error { return syscall.Kill(os.Getppid(), 0) },
		"a signal was asked for": func() error {
			_, err := unix.FcntlInt(1, unix.F_SETOWN, os.Getppid())
			return err
		},
		"signals were switched on": func() error {
			_, err := unix.FcntlInt(1, unix.F_SETFL, unix.O_ASYNC)
			return err
		},
		"a process was traced": func() error {
			return syscall.PtraceAttach(os.Getppid())
		},
	} {
		if err := try(); err == nil || os.IsNotExist(err) {
			fmt.Println(what)
		}
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			b := make([]byte, 4<<20)
			for i := range b {
				b[i] = byte(i)
			}
		})
	}
	all.Wait()
	fmt.Println("done")
}

func TestSandbox(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), sandboxEnv+"=1")
	out, err := cmd.Output() // with -cover, Go reports in stderr that it couldn't write the coverage
	if err != nil || strings.TrimSpace(string(out)) != "done" {
		t.Errorf("%v\n%s", err, out)
	}
}
