//go:build !linux && !darwin

package onnx

// physicalCores is unknown: the tuner then has nothing to choose from and all processors are used.
func physicalCores() int { return 0 }
