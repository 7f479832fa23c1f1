package lance

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// modern reports whether the processor supports x86-64-v3, which LanceDB needs on amd64. Otherwise, an unknown
// instruction would kill the process. Tests replace modern.
var modern = func() bool {
	return runtime.GOARCH != "amd64" || cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
}
