package native

import "os/exec"

const (
	statusAccessViolation = 0xC0000005
	statusNoMemory        = 0xC0000017
	statusHeapCorruption  = 0xC0000374
	statusStackOverflow   = 0xC00000FD
)

// signalOf returns the name of the exception that ended the process, or "". noMemory is true if the system ran out of
// memory.
func signalOf(e *exec.ExitError) (name string, noMemory bool) {
	switch uint32(e.ExitCode()) {
	case statusAccessViolation:
		return "access violation", false
	case statusNoMemory:
		return "out of memory", true
	case statusHeapCorruption:
		return "heap corruption", false
	case statusStackOverflow:
		return "stack overflow", false
	}
	return "", false
}
