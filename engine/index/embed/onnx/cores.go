package onnx

import "runtime"

// maxThreads returns the number of processors that the system and, through GOMAXPROCS, the control group allow.
func maxThreads() int { return max(1, min(runtime.GOMAXPROCS(0), runtime.NumCPU())) }

// threadCandidates returns the numbers of threads to try: the number of physical cores and the number of processors.
func threadCandidates() []int {
	n := maxThreads()
	if p := physicalCores(); p > 0 && p < n {
		return []int{p, n}
	}
	return []int{n}
}
