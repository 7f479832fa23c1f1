package native

import "syscall"

const fault = statusAccessViolation

var deaths = map[int]Died{
	statusAccessViolation: {Cause: "access violation", Alone: true},
	statusNoMemory:        {Cause: "out of memory", Memory: true, Alone: true},
	statusStackOverflow:   {Cause: "stack overflow", Alone: true},
}

func die(status int) { syscall.ExitProcess(uint32(status)) }
