package onnx

import "golang.org/x/sys/unix"

// physicalCores asks the kernel; 0 when it does not know.
func physicalCores() int {
	n, err := unix.SysctlUint32("hw.physicalcpu")
	if err != nil {
		return 0
	}
	return int(n)
}
