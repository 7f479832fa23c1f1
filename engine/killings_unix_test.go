//go:build unix

package engine

import "syscall"

var killings = map[string]func(pid int) error{
	"fault":         func(pid int) error { return syscall.Kill(pid, syscall.SIGSEGV) },
	"abort":         func(pid int) error { return syscall.Kill(pid, syscall.SIGABRT) },
	"out of memory": func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) },
}
