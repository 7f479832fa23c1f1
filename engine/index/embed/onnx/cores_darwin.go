package onnx

import "golang.org/x/sys/unix"

// physicalCores returns the kernel's count, 0 if unknown.
func physicalCores() int {
	n, err := unix.SysctlUint32("hw.physicalcpu")
	if err != nil {
		return 0
	}
	return int(n)
}
