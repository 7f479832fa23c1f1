package lance

import (
	"runtime"

	"golang.org/x/sys/cpu"

	"searchmcp/engine/store/vector"
)

// modern reports whether the processor has what x86-64-v3 adds; a variable, so that a test can take it away.
var modern = func() bool {
	return runtime.GOARCH != "amd64" || cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
}

// cpuProblem tells whether the processor can run the native library, which for amd64 is compiled for x86-64-v3.
// Asking must come before any native call: an unknown instruction kills the process.
func cpuProblem() error {
	if modern() {
		return nil
	}
	return vector.ErrCPU
}
