package onnx

import (
	"os"
	"path/filepath"
)

// physicalCores counts the cores from each processor's siblings in sysfs; 0 if unknown.
func physicalCores() int {
	files, err := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list")
	if err != nil {
		return 0 // invalid pattern
	}
	cores := map[string]bool{}
	for _, f := range files {
		if siblings, err := os.ReadFile(f); err == nil {
			cores[string(siblings)] = true
		}
	}
	return len(cores)
}
