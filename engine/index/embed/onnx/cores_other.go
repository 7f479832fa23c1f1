//go:build !linux && !darwin

package onnx

// physicalCores returns 0 for unknown, so all processors are used.
func physicalCores() int { return 0 }
