package native

import "syscall"

const fault = statusAccessViolation

var deaths = map[int]CrashError{
	statusAccessViolation: {Cause: "access violation", OnlyCall: true},
	statusNoMemory:        {Cause: "out of memory", Memory: true, OnlyCall: true},
	statusStackOverflow:   {Cause: "stack overflow", OnlyCall: true},
}

func die(status int) { syscall.ExitProcess(uint32(status)) }
