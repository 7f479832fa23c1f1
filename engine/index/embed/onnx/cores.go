package onnx

import "runtime"

// maxThreads is what the operating system and, through GOMAXPROCS, the control group let this process use.
func maxThreads() int { return max(1, min(runtime.GOMAXPROCS(0), runtime.NumCPU())) }

// threadCandidates are the numbers of threads worth trying: one for every physical core, and all.
func threadCandidates() []int {
	n := maxThreads()
	if p := physicalCores(); p > 0 && p < n {
		return []int{p, n}
	}
	return []int{n}
}
