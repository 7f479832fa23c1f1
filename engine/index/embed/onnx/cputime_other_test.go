//go:build !unix

package onnx

import "time"

// cpuTime returns 0, so metrics of processor time are meaningless on this system.
func cpuTime() time.Duration { return 0 }
