//go:build unix

package native

import (
	"os"
	"syscall"
)

const fault = int(syscall.SIGSEGV)

var deaths = map[int]Died{
	int(syscall.SIGKILL): {Cause: "SIGKILL", Memory: true, Alone: true, Outside: true},
	int(syscall.SIGABRT): {Cause: "SIGABRT", Memory: true, Alone: true},
	int(syscall.SIGSEGV): {Cause: "SIGSEGV", Alone: true, Outside: true},
	int(syscall.SIGTERM): {Cause: "SIGTERM", Alone: true, Outside: true},
}

func die(signal int) { _ = syscall.Kill(os.Getpid(), syscall.Signal(signal)) }
