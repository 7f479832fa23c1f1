package lance

import (
	"runtime"

	"golang.org/x/sys/cpu"

	"searchmcp/engine/store/vector"
)

// modern reports whether the processor has the x86-64-v3 instructions. Tests replace it.
var modern = func() bool {
	return runtime.GOARCH != "amd64" || cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
}

// cpuProblem returns an error if the processor cannot run the native library, which is compiled for x86-64-v3 on
// amd64. It must be called before any native call: an unknown instruction kills the process.
func cpuProblem() error {
	if modern() {
		return nil
	}
	return vector.ErrCPU
}
