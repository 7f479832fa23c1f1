//go:build !unix

package onnx

import "time"

// cpuTime is not measured here; the processor-time metrics are then meaningless.
func cpuTime() time.Duration { return 0 }
