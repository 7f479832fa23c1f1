//go:build unix

package native

import (
	"os"
	"syscall"
)

const fault = int(syscall.SIGSEGV)

var deaths = map[int]CrashError{
	int(syscall.SIGKILL): {Cause: "SIGKILL", Memory: true, OnlyCall: true, Killed: true},
	int(syscall.SIGABRT): {Cause: "SIGABRT", Memory: true, OnlyCall: true},
	int(syscall.SIGSEGV): {Cause: "SIGSEGV", OnlyCall: true, Killed: true},
	int(syscall.SIGTERM): {Cause: "SIGTERM", OnlyCall: true, Killed: true},
}

func die(signal int) { _ = syscall.Kill(os.Getpid(), syscall.Signal(signal)) }
