package vector

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// cpuProblem tells whether the processor can run the native library, which for amd64 is compiled for x86-64-v3. Asking must come
// before any native call: an unknown instruction kills the process.
func cpuProblem() error {
	if runtime.GOARCH != "amd64" {
		return nil
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 {
		return nil
	}
	return ErrCPU
}
